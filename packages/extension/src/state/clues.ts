import type { MessageSummary } from '@mayfly/client'

/** What a message says about the site that it is for. */
export type Clues = Pick<MessageSummary, 'from' | 'subject' | 'link'>

/** Labels below which registries sell names, such as `co` in `co.uk`. The full list is larger than the extension. */
const SECOND_LEVEL = new Set(['ac', 'co', 'com', 'edu', 'go', 'gob', 'gov', 'ne', 'net', 'or', 'org'])
/** Shorter names are found in too many texts. */
const WORD_MIN = 3

/** The name in a host: `shop` in `www.shop.co.uk` and in `mail.shop.example`. Sites use domains of more countries. */
export function nameOf(host: string): string {
  const [, ...labels] = host.toLowerCase().split('.').toReversed()
  if (/^[\d.]+$|:/.test(host)) return host
  return labels.find((label) => !SECOND_LEVEL.has(label)) ?? labels.at(-1) ?? host
}

const siteName = (origin: string): string => nameOf(new URL(origin).hostname)

/** Whether a message comes from the site, or its link leads there. */
export function isFrom({ from, link }: Clues, origin: string): boolean {
  const hosts = [from.address.split('@').at(-1), URL.parse(link ?? '')?.hostname]
  return hosts.some((host) => host && nameOf(host) === siteName(origin))
}

/** Whether the sender's name or the subject names the site. */
export function isAbout({ from, subject }: Clues, origin: string): boolean {
  const name = siteName(origin)
  const words = `${from.name} ${subject}`.toLowerCase().split(/[^\p{L}\p{N}-]+/u)
  return name.length >= WORD_MIN && words.includes(name)
}
