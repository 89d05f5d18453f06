/** Own domains of subscribers: ownership, DNS records, and who gets the messages of such a domain. */
export { createDomainChecks } from './own-domain-checks.ts'
export { createDomainRecipients, type DomainRecipient, type DomainRecipients } from './own-domain-recipients.ts'
export { createOwnDomains, type OwnDomains, type OwnDomainView } from './own-domains.ts'
