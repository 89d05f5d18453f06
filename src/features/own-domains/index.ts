/** Own domains of subscribers: proof of ownership, DNS records, and the recipients of messages. */
export { createDomainChecks } from './own-domain-checks.ts'
export { createIsOurs } from './our-email.ts'
export { createDomainRecipients, type DomainRecipient, type DomainRecipients } from './own-domain-recipients.ts'
export { createOwnDomains, type OwnDomains, type OwnDomainView } from './own-domains.ts'
