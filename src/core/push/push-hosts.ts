/** The push services of the browsers in use. Subdomains belong to them too. */
const OF_BROWSERS = [
  // Chrome and the browsers that are built on it.
  'fcm.googleapis.com',
  'jmt17.google.com',
  // Firefox.
  'push.services.mozilla.com',
  // Safari.
  'push.apple.com',
  // Edge.
  'notify.windows.com',
]

/** Returns the push service of a browser that a host belongs to. Undefined for any other host. */
export const knownPushService = (host: string): string | undefined =>
  OF_BROWSERS.find((each) => host === each || host.endsWith(`.${each}`))

/** What a host responded to a push. */
export interface PushResponse {
  status: number
  /** Whether it names the message that it created (`Location`, RFC 8030 5). */
  named: boolean
}

/**
 * Whether a host accepted a push. Many servers respond to any POST with 201, so a host that we don't know must respond
 * as RFC 8030 5 demands. The known ones may deviate: some leave out `Location`, or respond with 200.
 */
export const isAccepted = (host: string, { status, named }: PushResponse): boolean =>
  knownPushService(host) ? status >= 200 && status < 300 : status === 201 && named
