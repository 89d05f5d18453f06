const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** Whether it is a domain name of two labels or more, in its ASCII form (RFC 1035 2.3.1, 2.3.4). */
export const isDomainName = (name: string): boolean =>
  name.length <= 253 && name.includes('.') && name.split('.').every((label) => LABEL.test(label))

export type Tier = 'free' | 'premium'

/** A mail domain of this service, lower case, in its ASCII form. */
export interface Domain {
  name: string
  tier: Tier
}
