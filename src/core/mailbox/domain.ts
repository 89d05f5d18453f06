const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** Whether a name is a domain name of at least two labels in its ASCII form (RFC 1035 2.3.1, 2.3.4). */
export const isDomainName = (name: string): boolean =>
  name.length <= 253 && name.includes('.') && name.split('.').every((label) => LABEL.test(label))

/** Returns the part of an email address after the last `@`, in its original spelling. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** Whether a domain name is one of `parents` or a subdomain of one. Both are lower case. */
export const isWithin = (domain: string, parents: readonly string[]): boolean =>
  parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`))

/**
 * Returns whether this service receives the email of an address: at a mail domain of the service or at an own domain of a
 * subscriber.
 */
export type IsOurs = (email: string) => Promise<boolean>

export type Tier = 'free' | 'premium'

/** A mail domain of this service, lower case, in its ASCII form. */
export interface Domain {
  name: string
  tier: Tier
}
