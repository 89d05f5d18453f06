import { domainToASCII } from 'node:url'
import { isDomainName } from '#core/mailbox/domain.ts'
import { recipientLogin } from '#core/mailbox/login.ts'
import { EMAIL_MAX_LENGTH } from '#core/operating/support.ts'

const LOCAL_MAX_LENGTH = 64
/** `Dot-string` of RFC 5321 4.1.2, with the non-ASCII characters of RFC 6531 except invisible ones. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~\-\p{L}\p{M}\p{N}]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\p{L}\p{M}\p{N}]+)*$/u

/**
 * Normalizes an email address that a user entered. The domain is converted to ASCII, and compatibility characters are
 * replaced, such as U+212A, the Kelvin sign, with K, because accounts are distinguished by the normalized address.
 * Undefined if the address is not deliverable: it must have the form of RFC 5321 and a domain of at least two labels.
 * Quoted local parts and address literals, which people do not use, are rejected.
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
 * Returns the email address that identifies an account, regardless of case. Undefined like `emailAddress`. Full case
 * folding (`ß` to `ss`) is not applied, because that is a different mailbox.
 */
export const canonicalEmail = (input: string): string | undefined =>
  emailAddress(input)?.toLowerCase().normalize('NFKC')

/** The domain is in ASCII, and empty if there is none. */
export function recipientParts(recipient: string): { localPart: string; domain: string } {
  const at = recipient.lastIndexOf('@')
  if (at === -1) return { localPart: recipient, domain: '' }
  return { localPart: recipient.slice(0, at), domain: domainToASCII(recipient.slice(at + 1).replace(/\.$/, '')) }
}

/** Returns the address whose mailbox receives what is sent to a recipient: without `+anything`, in lower case, in ASCII. */
export function mailboxAddress(recipient: string): string {
  const { localPart, domain } = recipientParts(recipient)
  return `${recipientLogin(localPart) ?? ''}@${domain}`
}

/** Masks an email address so that its owner still recognizes it: `a…@example.org`. */
export const maskedEmail = (email: string): string => email.replace(/^(.).*@/su, '$1…@')
