/** Matches features that express the same reason. However many of them a candidate has, they count once. */
type Group = RegExp

const CODE_FOR: readonly Group[] = [
  /^(?:named|code word (?:before|after), (?:at|near|mid))/,
  / sure$/,
  /^(?:subject (?:sure )?code|preheader code)$/,
  /^(?:subject|preheader) purpose$/,
  /^(?:mail|sentence|below|above 1) (?:secret|unasked|notMe)$/,
  /^mail minutes$/,
  /^(?:mail|subject) care$/,
  /^(?:emphasized|boxed|class of a code)$/,
  /^(?:alone|colon before|quoted)$/,
  /^(?:enter before|enter behind|above 1 enter)/,
  /^(?:sentence|above 1) purpose$/,
  /^only plausible$/,
  /^(?:from security|mail payment)$/,
]
const CODE_AGAINST: readonly Group[] = [
  /^(?:sentence|above 1|label|line above) trade$/,
  /^(?:sentence|above 1|label) (?:promo|news)$/,
  /^(?:sentence|above 1|label) (?:pickup|visit)$/,
  /^(?:sentence|above 1|label) (?:place|meeting)$/,
  /^(?:subject trade|subject promo|subject pickup|subject visit|subject place|subject meeting)$/,
  /^(?:from trade|unsubscribe link)$/,
  /^(?:subject other code|above 1 other code|other code (?:before|after))/,
  /^(?:foreign before|account before|user before|unit behind|sentence phone|footer line)$/,
  /^(?:year|date|promotion|unit|like a name|like a word|sequence|round)$/,
  /^(?:mail percent|subject percent|sentence percent)$/,
  /^(?:record of trade|record|listed)$/,
  /^(?:subject|sentence|mail) (?:done|alert)$/,
  /^(?:old|old code) before$|^old behind$|^above 1 old code$/,
]
const LINK_FOR: readonly Group[] = [
  /^label (?:verify|password|join|yes)$/,
  /^label (?:login|go)$/,
  /^before (?:verify|password|join)$/,
  /^before login$/,
  /^url action$/,
  /^url (?:verify|password|join|login)$/,
  /^(?:url token|random part)$/,
  /^(?:only token|only random part)$/,
  /^(?:only button|first button)$/,
  /^subject (?:verify|password|join)$/,
  /^subject (?:login|purpose)$/,
  /^mail (?:unasked|care|secret)$/,
  /^mail minutes$/,
  /^(?:only link|few links)$/,
  /^(?:repeated|also written out)$/,
  /^(?:from security|own domain)$/,
]
const LINK_AGAINST: readonly Group[] = [
  /^label (?:trade|promo|pickup|visit|meeting|place|news)$/,
  /^(?:label (?:quiet|no)|(?:label|url) undo)$/,
  /^before (?:trade|promo|pickup|visit|meeting|place)$/,
  /^before (?:quiet|not me)$/,
  /^subject (?:trade|promo|pickup|visit|meeting|place)$/,
  /^subject (?:alert|done)$/,
  /^mail (?:done|alert)$/,
  /^mail (?:promo|pickup|visit|meeting)$/,
  /^(?:other path|url bare|url plain|social host|view host|not in the HTML)$/,
  /^url (?:promo|pickup|visit|meeting|news)$/,
  /^(?:from trade|unsubscribe link)$/,
  /^(?:many tokens|many links|links many)$/,
]
const GROUPS = {
  code: { for: CODE_FOR, against: CODE_AGAINST },
  link: { for: LINK_FOR, against: LINK_AGAINST },
}

/** Which groups a feature belongs to, as bits. The same features occur again and again. */
const known = { code: new Map<string, number>(), link: new Map<string, number>() }
/** The groups against a candidate are in the upper half of the bits. */
const AGAINST = 16

function groupsOf(kind: 'code' | 'link', feature: string): number {
  let groups = known[kind].get(feature)
  if (groups === undefined) {
    groups = 0
    for (const [i, group] of GROUPS[kind].for.entries()) if (group.test(feature)) groups |= 1 << i
    for (const [i, group] of GROUPS[kind].against.entries()) if (group.test(feature)) groups |= 1 << (AGAINST + i)
    known[kind].set(feature, groups)
  }
  return groups
}

function countOf(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

const MAX_FOR = 11
const MAX_AGAINST = 6

const numbered = (name: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `${name} ${from + i}`)
const REASONS = numbered('reasons', 0, MAX_FOR)
const DOUBTS = numbered('doubts', 0, MAX_AGAINST)
const BALANCES = numbered('balance', -1, 8)

/** Adds how many independent reasons speak for a candidate and how many against it. */
export function addEvidence(kind: 'code' | 'link', features: Set<string>): void {
  let groups = 0
  for (const feature of features) groups |= groupsOf(kind, feature)
  const reasons = countOf(groups & ((1 << AGAINST) - 1))
  const doubts = countOf(groups >>> AGAINST)
  for (let i = 2; i <= Math.min(reasons, MAX_FOR); i++) features.add(REASONS[i] as string)
  for (let i = 1; i <= Math.min(doubts, MAX_AGAINST); i++) features.add(DOUBTS[i] as string)
  const balance = Math.max(-2, Math.min(8, reasons - doubts))
  for (let i = -1; i <= balance; i++) features.add(BALANCES[i + 1] as string)
}
