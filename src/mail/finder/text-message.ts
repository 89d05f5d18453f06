/**
 * `@site.example #604218`: a line at the end of a text message whose code is for one site, or for a site embedded in it
 * (`@site.example #604218 @bank.example`; Origin-bound one-time codes, WICG).
 */
const BOUND = /^@(?:[\w-]+\.)+(?:[a-z]{2,}|xn--[a-z\d-]+) #(\S+)(?: [@%]\S+)*$/i
/** Only these last lines are read for it. A forwarder may add a footer. */
const LAST = 4
/** The beginning of a text message for an Android app (SMS Retriever API). Some messages for apps lack it. */
const FOR_APP = /^(?:<#>|\[#\])/
/** Such a message ends with a hash of the app, in Base64. */
const HASH_AT_END = /(?:^|\s)((?=\S*[A-Z])(?=\S*[a-z])[A-Za-z\d+/]{11})$/
/** A hash that is recognized anywhere, because passwords rarely have this form. */
const HASH = /^(?=.*\+)[A-Za-z\d+]{11}$/

/** Returns whether a text looks like the hash of an app: 11 characters of Base64, one of them a plus sign. */
export const isAppHash = (text: string): boolean => HASH.test(text)

/** The parts of a text message that are meant for browsers and apps. */
interface TextMessage {
  /** The code for one site. */
  bound: string | undefined
  forApp: boolean
  appHash: string | undefined
}

/** Reads the parts of a text message that are meant for browsers and apps. */
export function textMessage(lines: readonly { text: string }[]): TextMessage {
  const forApp = FOR_APP.test(lines[0]?.text ?? '')
  const [bound] = lines.slice(-LAST).flatMap(({ text }) => BOUND.exec(text)?.[1] ?? [])
  return { bound, forApp, appHash: forApp ? HASH_AT_END.exec(lines.at(-1)?.text ?? '')?.[1] : undefined }
}
