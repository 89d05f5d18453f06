/** Decides whether a field that mentions email asks for an address or for a code, such as "Email verification code". */

import { OTHER } from './other.ts'
import { clausesOf } from './patterns.ts'
import {
  ENTER,
  HEAD_LAST,
  isBelonging,
  isFollowedByLater,
  isLater,
  isLaterBehind,
  isMeans,
  isPlace,
  isPlaceByEnding,
  isPlaceInHeadLast,
  isSentTo,
  isSource,
  isVerb,
  isWith,
  OR,
} from './phrases.ts'
import { isProof, isSent, PROOF, PURPOSE } from './purpose.ts'
import { isSearch } from './search.ts'
import { EMAIL, namesCode, NOUN, plain } from './words.ts'

export type Subject = 'email' | 'code'

interface Match {
  start: number
  end: number
}
const matches = (pattern: RegExp, text: string): Match[] =>
  [...text.matchAll(new RegExp(pattern, 'gu'))].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }))

/** Whether only purposes are between "email" and "code": "email verification code". */
const isCompound = (between: string): boolean =>
  between
    .split(/[\s_\-‑–]+/u)
    .filter(Boolean)
    .every((part) => part === 's' || PURPOSE.test(part) || OTHER.test(part))

function isCodeLastHead(clause: string): boolean {
  const [email, code] = [matches(EMAIL, clause).at(-1), matches(NOUN, clause).at(-1)]
  if (!email || !code) return false
  const afterEmail = clause.slice(email.end)
  if (email.start > code.start) {
    return isPlaceInHeadLast(clause.slice(0, email.start), afterEmail) && !isLater(clause)
  }
  const between = clause.slice(email.end, code.start)
  return (isCompound(between) || !isLater(between)) && !isLaterBehind(clause.slice(code.end))
}

/** Whether a clause that names both asks for the code: "Email code", "The code in your email". */
function asksForCode(clause: string): boolean {
  const [email] = matches(EMAIL, clause)
  const [code] = matches(NOUN, clause)
  if (!email || !code) return false
  const isCodeFirst = code.start < email.start
  const between = isCodeFirst ? clause.slice(code.end, email.start) : clause.slice(email.end, code.start)
  const before = clause.slice(0, Math.min(email.start, code.start))
  // "SMS code or email code".
  const next = isCodeFirst && matches(NOUN, clause).find(({ start }) => start >= email.end)
  if (next && OR.test(between) && isCompound(clause.slice(email.end, next.start))) return !isLater(clause)
  if (OR.test(between) && !isProof(clause) && !isSource(between)) return false
  if (HEAD_LAST.test(clause)) return isCodeLastHead(clause)
  if (!isCodeFirst) {
    if (isCompound(between) || isWith(between) || isPlace(before, between)) return true
    if (isMeans(before) || isProof(before)) return !isLater(clause)
    if (isPlaceByEnding(between) || isSentTo(before, between)) return !isLater(clause)
    return ENTER.test(between) && !ENTER.test(before) && !isFollowedByLater(clause.slice(code.end))
  }
  const rest = clause.slice(code.end)
  if (isLater(before) || isFollowedByLater(rest) || isLater(clause.slice(email.end))) return false
  // A coupon comes by email to the address that is entered, if it was not sent before.
  return !OTHER.test(clause) || PROOF.test(clause) || isSent(clause) || isSource(between) || !isMeans(between)
}

/** What a clause or a name asks for. The one with the highest clarity decides. */
interface Sense {
  subject: Subject | undefined
  clarity: number
}
/** A telling name, such as `otp`: less than a sentence, more than the word for email alone. */
const BY_NAME = 2.5
const NOTHING = 0

/** The clarity of a clause that names a code, alone or together with the email. */
const clarityOf = (clause: string, isFirst: boolean): number => (ENTER.test(clause) ? 4 : isFirst ? 3 : 1)

function senseOf(clause: string, isFirst: boolean): Sense | undefined {
  const [email] = matches(EMAIL, clause)
  const hasCode = namesCode(clause)
  if (email && hasCode) return { subject: asksForCode(clause) ? 'code' : 'email', clarity: clarityOf(clause, isFirst) }
  if (email) {
    const [before, after] = [clause.slice(0, email.start), clause.slice(email.end)]
    if (isBelonging(before, after)) return { subject: undefined, clarity: 2 }
    if (isPlace(before, after) || (!isFirst && (isVerb(after) || (isMeans(before) && isSent(clause))))) return undefined
    // "Confirm your email" may be the title of a field for a code.
    return { subject: 'email', clarity: isProof(clause) ? NOTHING : ENTER.test(clause) ? 3 : 2 }
  }
  if (!hasCode || (isLater(clause) && !ENTER.test(clause))) return undefined
  // "Promo code" may be the title of a field for an address.
  return { subject: 'code', clarity: OTHER.test(clause) && !PROOF.test(clause) ? 1 : clarityOf(clause, isFirst) }
}

/** Names of fields are in English, with the noun at the end: `email_code`, `code_email`. */
function senseOfName(name: string): Sense | undefined {
  const email = matches(EMAIL, name).at(-1)
  const code = matches(CODE_NAME, name).at(-1)
  if (!email && code && STRONG_NAME.test(name)) return { subject: 'code', clarity: BY_NAME }
  if (!email && !code) return undefined
  if (email && !code && isBelonging(name.slice(0, email.start), name.slice(email.end))) return undefined
  return { subject: (code?.start ?? -1) > (email?.start ?? -1) ? 'code' : 'email', clarity: NOTHING }
}
const CODE_NAME = new RegExp(`${NOUN.source}|captcha`, 'u')
const STRONG_NAME =
  /(?:otp|one.?time.?\w*|captcha|verif\w*.?code|pass.?code|confirm\w*.?code|(?:2fa|mfa|auth).?(?:code|token))$/u

/** Texts and names of fields repeat, and pages may have thousands of fields. */
const known = new Map<string, Subject | undefined>()
const MOST_KNOWN = 500

/** What a field asks for, given its texts and its names, the most telling first. */
export function subjectOf(texts: readonly string[], names: readonly string[] = []): Subject | undefined {
  const key = JSON.stringify([texts, names])
  if (known.has(key)) return known.get(key)
  const subject = read(texts, names)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, subject)
  return subject
}

function read(texts: readonly string[], names: readonly string[]): Subject | undefined {
  if (texts.some((text) => isSearch(plain(text)))) return undefined
  const said = texts.flatMap((text) => {
    return clausesOf(plain(text)).flatMap((clause, i) => senseOf(clause, i === 0) ?? [])
  })
  const named = names.flatMap((name) => senseOfName(plain(name)) ?? [])
  const codeName = named.find(({ subject }) => subject === 'code')
  // The first of equal clarity decides. A title such as "Verify your email" decides less than a name.
  const senses = [...(codeName ? [codeName] : []), ...said, ...named]
  return senses.toSorted((a, b) => b.clarity - a.clarity)[0]?.subject
}

/** Whether a text begins with the email: "Email or phone", but not "Phone (we may email you)". */
export const opensWithEmail = (texts: readonly string[]): boolean =>
  texts.some((text) => EMAIL.test(clausesOf(plain(text))[0] ?? ''))
