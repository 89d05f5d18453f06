import type { MessageLink, TrackerReport } from '#core/mailbox/message.ts'

/** Hosts that count opens and clicks for their customers, and the company behind them. */
const COMPANIES: [hosts: RegExp, company: string][] = [
  [/(?:^|\.)(?:list-manage\.com|mailchimp\.com|mailchimpapp\.net|mandrillapp\.com|mcusercontent\.com)$/, 'Mailchimp'],
  [/(?:^|\.)sendgrid\.(?:net|com)$/, 'SendGrid'],
  [/(?:^|\.)(?:mailgun\.(?:org|net|com)|mailgun\.us)$/, 'Mailgun'],
  [/(?:^|\.)(?:awstrack\.me|amazonses\.com)$/, 'Amazon SES'],
  [/(?:^|\.)(?:hubspot(?:email|links|starter)?\.(?:net|com)|hs-[a-z0-9]+\.(?:net|com)|hsforms\.com)$/, 'HubSpot'],
  [/(?:^|\.)(?:klaviyo(?:mail)?\.com|klclick\d*\.com)$/, 'Klaviyo'],
  [/(?:^|\.)(?:exacttarget\.com|exct\.net|sfmc-content\.com|pardot\.com|salesforce\.com)$/, 'Salesforce'],
  [/(?:^|\.)(?:mktoresp\.com|mkto-[a-z0-9]+\.com|marketo\.(?:com|net))$/, 'Marketo'],
  [/(?:^|\.)(?:sendinblue\.com|sibautomation\.com|brevo\.com|sendibt\d*\.com|sendibm\d*\.com)$/, 'Brevo'],
  [/(?:^|\.)(?:constantcontact\.com|rs6\.net|ctctcdn\.com)$/, 'Constant Contact'],
  [/(?:^|\.)(?:cmail\d+\.com|createsend\d*\.com|campaignmonitor\.com)$/, 'Campaign Monitor'],
  [/(?:^|\.)(?:activehosted\.com|activecampaign\.com|acemln[a-z]?\.com)$/, 'ActiveCampaign'],
  [/(?:^|\.)(?:customeriomail\.com|customer\.io)$/, 'Customer.io'],
  [/(?:^|\.)(?:braze\.(?:com|eu)|appboy(?:-images)?\.com)$/, 'Braze'],
  [/(?:^|\.)iterable\.com$/, 'Iterable'],
  [/(?:^|\.)(?:mailjet\.com|mjt\.lu)$/, 'Mailjet'],
  [/(?:^|\.)(?:postmarkapp\.com|pstmrk\.it)$/, 'Postmark'],
  [/(?:^|\.)(?:sparkpostmail\d*\.com|sparkpost\.com)$/, 'SparkPost'],
  [/(?:^|\.)(?:convertkit-mail\d*\.com|kit-mail\d*\.com)$/, 'Kit'],
  [/(?:^|\.)(?:mailerlite\.com|mlsend\d*\.com)$/, 'MailerLite'],
  [/(?:^|\.)getresponse(?:-[a-z]+)?\.com$/, 'GetResponse'],
  [/(?:^|\.)(?:substack\.com|substackcdn\.com)$/, 'Substack'],
  [/(?:^|\.)beehiiv\.com$/, 'beehiiv'],
  [/(?:^|\.)(?:google-analytics\.com|doubleclick\.net|googleadservices\.com)$/, 'Google'],
  [/(?:^|\.)(?:facebook\.com|fbcdn\.net)$/, 'Meta'],
  [/(?:^|\.)(?:litmus\.com|emltrk\.com)$/, 'Litmus'],
  [/(?:^|\.)(?:returnpath\.net|validity\.com)$/, 'Validity'],
  [/(?:^|\.)liveintent\.com$|(?:^|\.)liadm\.com$/, 'LiveIntent'],
  [
    /(?:^|\.)(?:yesware\.com|mailtrack\.io|superhuman\.com|streak\.com|mixmax\.com|boomeranggmail\.com)$/,
    'Mail add-on',
  ],
  [/(?:^|\.)(?:omnisend\.com|soundestlink\.com)$/, 'Omnisend'],
  [/(?:^|\.)(?:emarsys\.net|scarabresearch\.com)$/, 'Emarsys'],
  [/(?:^|\.)(?:rdstation\.com(?:\.br)?|rdstation-static\.com)$/, 'RD Station'],
  [/(?:^|\.)(?:unisender\.com|sendsay\.ru|mindbox\.(?:ru|cloud))$/, 'Mindbox'],
]

/** Labels of hosts that senders use for click counters of such companies. */
const CLICK_HOST =
  /^(?:clicks?|trk|track(?:ing)?|tracker|trck|links?\d*|lnks?|ct|email?links|go\.mail|e?mail-?click)\d*\./
/** Paths that click counters have on any host. */
const CLICK_PATH =
  /^\/(?:ls\/click|wf\/click|track\/click|tracking\/click|e\/c\/|CL0\/|c\/eJ|f\/a\/|ss\/c\/|mpss\/c\/|click[/?])/

const companyOf = (host: string): string | null => COMPANIES.find(([hosts]) => hosts.test(host))?.[1] ?? null

/** Whether opening a link reports to the sender who opened it. */
export function isTrackingLink({ url, host }: Pick<MessageLink, 'url' | 'host'>): boolean {
  const { pathname, search } = new URL(url)
  // The home page of such a company is no tracker.
  const deep = pathname.length > 1 || search !== ''
  return deep && (CLICK_HOST.test(host) || CLICK_PATH.test(pathname + search) || companyOf(host) !== null)
}

/** Whether a size is 0 to 3, without a unit or in pixels. */
const isTiny = (size: string | undefined): boolean => /^\s*0*[0-3](?:\.\d*)?(?:\s*px)?\s*$/.test(size ?? '')
const styled = (style: string, name: string): string | undefined =>
  new RegExp(`(?:^|;)\\s*(?:max-)?${name}\\s*:\\s*([^;!]*)`, 'i').exec(style)?.[1]

/** Whether an image is so small that its only purpose is to be requested. */
export function isPixel({ width, height, style = '' }: Record<string, string | undefined>): boolean {
  const tiny = (name: string, size: string | undefined): boolean => isTiny(styled(style, name) ?? size)
  return tiny('width', width) && tiny('height', height)
}

/** Hosts that are listed. */
const MAX_HOSTS = 50

/** Counts what a message would report. `images` maps the URL of each remote image to whether it is a pixel. */
export function trackerReport(images: ReadonlyMap<string, boolean>, links: readonly MessageLink[]): TrackerReport {
  const hosts = new Map<string, TrackerReport['hosts'][number]>()
  const at = (host: string): TrackerReport['hosts'][number] => {
    const known = hosts.get(host) ?? { host, company: companyOf(host), images: 0, pixels: 0, links: 0 }
    hosts.set(host, known)
    return known
  }
  for (const [url, pixel] of images) {
    const counts = at(new URL(url).hostname)
    counts.images++
    if (pixel) counts.pixels++
  }
  const clicked = new Map(links.filter(isTrackingLink).map((link) => [link.url, link.host]))
  for (const host of clicked.values()) at(host).links++
  const all = [...hosts.values()].toSorted((a, b) => b.images + b.links - (a.images + a.links))
  const sum = (name: 'images' | 'pixels' | 'links'): number => all.reduce((total, each) => total + each[name], 0)
  return { images: sum('images'), pixels: sum('pixels'), links: sum('links'), hosts: all.slice(0, MAX_HOSTS) }
}
