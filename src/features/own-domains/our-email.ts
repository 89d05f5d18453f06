import { domainOf, isWithin, type IsOurs } from '#core/mailbox/domain.ts'
import type { DomainRecipients } from './own-domain-recipients.ts'

/**
 * Returns whether this service receives the email of an address. `domains`: its mail domains and host names; their
 * subdomains count, too.
 */
export const createIsOurs =
  (domains: readonly string[], ownDomains: Pick<DomainRecipients, 'recipient'>): IsOurs =>
  async (email) => {
    const domain = domainOf(email).toLowerCase()
    return isWithin(domain, domains) || (await ownDomains.recipient(domain)) !== undefined
  }
