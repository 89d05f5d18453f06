import { MayflyError } from '#core/errors.ts'
import type { NameKey } from '#core/ids.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import type { Domain } from '#core/mailbox/domain.ts'
import { recipientLogin } from '#core/mailbox/login.ts'
import { OPERATOR_LOGINS } from '#core/mailbox/reserved.ts'
import type { Store } from '#core/store.ts'
import type { Clock } from '#core/time.ts'
import type { ForwardingReports } from '#features/forwarding/index.ts'
import { ownNameKey } from '#features/mailbox/index.ts'
import type { DomainRecipients } from '#features/own-domains/index.ts'
import { groupedLookUp } from '#lib/group-commit.ts'
import { recipientParts } from '#mail/email-address.ts'
import { nameKey } from '#mail/sealing/keys.ts'
import { OPERATOR_NAME } from './operator-mailbox.ts'

/** A mailbox or a return path. The return path of a forwarded message has its job, that of our own emails has none. */
type FoundRecipient = { row: RecipientRow } | { row?: undefined; jobId: string | undefined }

interface RecipientFinder {
  /**
   * Returns undefined for an unknown recipient. Throws `relay_denied` for a domain that is not served here, and
   * `recipient_unread` for the sender of our own emails, unless `mailFrom` is empty.
   */
  find(recipient: string, mailFrom?: string): Promise<FoundRecipient | undefined>
  operatorMailbox(): Promise<RecipientRow | undefined>
}

export interface FindRecipientDeps {
  store: Pick<Store, 'addresses'>
  clock: Clock
  serviceKey: Uint8Array
  domains: readonly Domain[]
  /** The domain of new return paths. */
  forwardDomain: string
  /** The mailbox address of the sender of our own emails. */
  ownSender: string
  /**
   * The operator's own address. If its mail arrives here, it leads to the operator mailbox, unless somebody had the
   * address before it was reserved.
   */
  operatorAddress: string | undefined
  forwardingReports: Pick<ForwardingReports, 'isReturnPath' | 'jobOf'>
  ownDomains: Pick<DomainRecipients, 'recipient'>
  /** Returns the mailbox of the logins without an address. Unset: they are unknown. */
  catchAll?: (() => Promise<RecipientRow>) | undefined
}

export function createRecipientFinder({ store, clock, serviceKey, ...deps }: FindRecipientDeps): RecipientFinder {
  const { forwardingReports, ownSender, operatorAddress } = deps
  const domains = new Set([...deps.domains.map(({ name }) => name), deps.forwardDomain])
  const own = recipientParts(ownSender)
  const isRead = deps.catchAll !== undefined || OPERATOR_LOGINS.has(own.localPart) || ownSender === operatorAddress
  /** The sender of our own emails, unless a mailbox receives what comes back. */
  const unreadSender = isRead || !domains.has(own.domain) ? undefined : ownSender
  const operatorKey = nameKey(serviceKey, OPERATOR_NAME)

  // Concurrent RCPT commands share a query.
  const lookUp = groupedLookUp<NameKey, RecipientRow>(
    (keys) => store.addresses.findRecipients(keys, clock()),
    (row) => row.nameKey,
  )

  async function findMailbox(login: string | undefined, domain: string): Promise<RecipientRow | undefined> {
    if (!domains.has(domain)) return findUnderOwnDomain(login, domain)
    if (login === undefined) return undefined
    if (OPERATOR_LOGINS.has(login)) return lookUp(operatorKey)
    const address = `${login}@${domain}`
    const row = await lookUp(nameKey(serviceKey, address))
    return row ?? (address === operatorAddress ? lookUp(operatorKey) : deps.catchAll?.())
  }

  async function findUnderOwnDomain(login: string | undefined, domain: string): Promise<RecipientRow | undefined> {
    const owner = domain === '' ? undefined : await deps.ownDomains.recipient(domain)
    if (!owner) throw new MayflyError('relay_denied')
    if (login === undefined) return undefined
    if (OPERATOR_LOGINS.has(login)) return lookUp(operatorKey)
    const { subscriptionId, catchAll } = owner
    const row = await lookUp(ownNameKey(serviceKey, `${login}@${domain}`, subscriptionId))
    if (row || catchAll === null) return row
    const catchAllRow = await store.addresses.find(catchAll, clock())
    return catchAllRow?.subscriptionId === subscriptionId ? catchAllRow : undefined
  }

  const found = (row: RecipientRow | undefined): FoundRecipient | undefined => row && { row }

  return {
    operatorMailbox: () => lookUp(operatorKey),

    async find(recipient, mailFrom) {
      const { localPart, domain } = recipientParts(recipient)
      const login = recipientLogin(localPart)
      if (domain !== '' && forwardingReports.isReturnPath(localPart)) {
        // At any domain: the forwarding domain may have been another one when the message was forwarded.
        const jobId = forwardingReports.jobOf(localPart)
        if (jobId !== undefined) return { jobId }
        if (domains.has(domain)) return undefined
      }
      // RFC 5321 4.5.1: <Postmaster> without a domain must be accepted.
      const isBarePostmaster = login === 'postmaster' && !recipient.includes('@')
      if (isBarePostmaster) return found(await lookUp(operatorKey))
      if (`${login}@${domain}` !== unreadSender) return found(await findMailbox(login, domain))
      // Our own emails must have a return path that exists (RFC 5321 4.5.5), and some servers ask for it. What comes
      // back is not read: a failed email was recorded when the relay refused it. It may have a sign-in link, so no
      // mailbox that somebody had before gets it.
      if (mailFrom !== '') throw new MayflyError('recipient_unread')
      return { jobId: undefined }
    },
  }
}
