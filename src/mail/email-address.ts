import { domainToASCII } from 'node:url'
import { isDomainName } from '#core/mailbox/domain.ts'
import { EMAIL_MAX_LENGTH } from '#core/operating/support.ts'

const LOCAL_MAX_LENGTH = 64
/** RFC 5321 4.1.2 Dot-string; beyond ASCII as RFC 6531 allows, but nothing that is not to be seen. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~\-\p{L}\p{M}\p{N}]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\p{L}\p{M}\p{N}]+)*$/u

/**
 * The address that somebody entered, its domain in ASCII, and what only looks like another character (U+212A, the Kelvin sign,
 * for K) as that character: mail goes to the one that accounts are told apart by. Undefined where mail could not reach it: the shape of RFC 5321
 * with a domain name of two labels or more, without quoted local parts and address literals, which no person has.
 */
export function emailAddress(input: string): string | undefined {
  const text = input.normalize('NFKC').trim()
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(0, at))
  const domain = domainToASCII(text.slice(at + 1))
  const address = `${local}@${domain}`
  const reachable =
    LOCAL.test(local) &&
    !/\p{Default_Ignorable_Code_Point}/u.test(local) &&
    Buffer.byteLength(local) <= LOCAL_MAX_LENGTH &&
    Buffer.byteLength(address) <= EMAIL_MAX_LENGTH &&
    isDomainName(domain) &&
    !/\.\d+$/.test(domain)
  return reachable ? address : undefined
}

/**
 * The address that somebody entered, as the name of an account: however it is written, it is one. Undefined as above. No letters
 * beyond ASCII become ASCII ones here, as full case folding would have it (`ß` as `ss`): they are another mailbox.
 */
export const canonicalEmail = (input: string): string | undefined =>
  emailAddress(input)?.toLowerCase().normalize('NFKC')

/** The domain of an address, as it is written. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** As much of an address as its owner knows it by: `a…@example.org`. */
export const maskedEmail = (email: string): string => email.replace(/^(.).*@/su, '$1…@')
