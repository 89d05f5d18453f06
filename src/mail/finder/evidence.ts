/** Features that say the same in different ways. Any of them counts once. */
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
]
const LINK_FOR: readonly Group[] = [
  /^label (?:verify|password|join|accept|yes)$/,
  /^label (?:login|go)$/,
  /^before (?:verify|password|join)$/,
  /^before login$/,
  /^url action$/,
  /^url (?:verify|password|join|login)$/,
  /^url token$/,
  /^only token$/,
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
  /^label (?:quiet|no)$/,
  /^before (?:trade|promo|pickup|visit|meeting|place)$/,
  /^before (?:quiet|not me)$/,
  /^subject (?:trade|promo|pickup|visit|meeting|place)$/,
  /^subject (?:alert|done)$/,
  /^mail (?:done|alert)$/,
  /^mail (?:promo|pickup|visit|meeting)$/,
  /^(?:other path|url bare|url plain|social host)$/,
  /^url (?:promo|pickup|visit|meeting|news)$/,
  /^(?:from trade|unsubscribe link)$/,
  /^(?:many tokens|many links|links many)$/,
]
const GROUPS = {
  code: { for: CODE_FOR, against: CODE_AGAINST },
  link: { for: LINK_FOR, against: LINK_AGAINST },
}

/** Which groups a feature belongs to, as bits. The same features occur again and again. */
const known = new Map<string, { for: number; against: number }>()

function groupsOf(kind: 'code' | 'link', feature: string): { for: number; against: number } {
  const key = `${kind} ${feature}`
  let groups = known.get(key)
  if (!groups) {
    const bits = (list: readonly Group[]): number =>
      list.reduce((sum, group, i) => (group.test(feature) ? sum | (1 << i) : sum), 0)
    groups = { for: bits(GROUPS[kind].for), against: bits(GROUPS[kind].against) }
    known.set(key, groups)
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

/** Adds how many independent reasons speak for a candidate and how many against it. */
export function addEvidence(kind: 'code' | 'link', features: Set<string>): void {
  let pro = 0
  let contra = 0
  for (const feature of features) {
    const groups = groupsOf(kind, feature)
    pro |= groups.for
    contra |= groups.against
  }
  const reasons = countOf(pro)
  const doubts = countOf(contra)
  for (let i = 2; i <= Math.min(reasons, MAX_FOR); i++) features.add(`reasons ${i}`)
  for (let i = 1; i <= Math.min(doubts, MAX_AGAINST); i++) features.add(`doubts ${i}`)
  const balance = Math.max(-2, Math.min(8, reasons - doubts))
  for (let i = -1; i <= balance; i++) features.add(`balance ${i}`)
}
