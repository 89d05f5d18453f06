import { MayflyError } from '#core/errors.ts'
import type { SubscriptionId } from '#core/ids.ts'
import {
  checked,
  type DnsLookup,
  type DomainRules,
  type OwnDomain,
  stateOf,
  UNANSWERED,
} from '#core/own-domains/own-domain.ts'
import type { Store } from '#core/store.ts'
import type { Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

/** The DNS records that prove that a domain belongs to a subscriber. */
interface DomainProof {
  /** Name and text of the TXT record. */
  txt: { name: string; value: string }
  /** The host that one of its MX records must name. */
  mx: string
}

export interface DomainChecks {
  proofOf(name: string, subscriptionId: SubscriptionId): DomainProof
  /**
   * Checks the records and stores the result. Throws `dns_unavailable`, `domain_owned` or `domain_not_found`, and then
   * changes nothing. Returns what another check stored meanwhile instead.
   */
  check(domain: OwnDomain): Promise<OwnDomain>
  /** Checks all owned domains whose last check is older than their interval. */
  recheck(stopping: AbortSignal): Promise<void>
}

interface DomainChecksDeps {
  store: Pick<Store, 'ownDomains' | 'subscriptions'>
  dns: DnsLookup
  clock: Clock
  metrics: Metrics
  wrap: Pick<Wrap, 'hash'>
  /** Names of the SMTP receiver, lower case. The first one is shown to subscribers. */
  mailHosts: readonly [string, ...string[]]
  rules: DomainRules
  /** Called with the name of each domain whose state or owner may have changed. */
  onChange(name: string): void
}

/** Domains that are checked at the same time. */
const BATCH = 20
/** A label with an underscore cannot be a host name (RFC 8552). */
const TXT_PREFIX = '_mayfly.'

export function createDomainChecks(deps: DomainChecksDeps): DomainChecks {
  const { dns, clock, metrics, mailHosts, rules } = deps
  const store = deps.store.ownDomains

  const proofOf = (name: string, subscriptionId: SubscriptionId): DomainProof => ({
    txt: {
      name: TXT_PREFIX + name,
      value: `mayfly-verification=${deps.wrap.hash('domain', `${name}/${subscriptionId}`)}`,
    },
    mx: mailHosts[0],
  })

  interface FoundRecords {
    texts: ReadonlySet<string>
    mx: boolean
  }

  async function lookUp(name: string): Promise<FoundRecords> {
    const [texts, hosts] = await Promise.all([dns.txt(TXT_PREFIX + name), dns.mx(name)])
    // Some providers keep quotation marks that were typed into their form as part of the text.
    const plain = texts.map((text) => text.trim().replace(/^"(.*)"$/s, '$1'))
    return { texts: new Set(plain), mx: hosts.some((host) => mailHosts.includes(host)) }
  }

  const hasProof = ({ name, subscriptionId }: OwnDomain, { texts }: FoundRecords): boolean =>
    texts.has(proofOf(name, subscriptionId).txt.value)

  /**
   * Whether the owner keeps a domain that another subscriber proves, too. True while the domain still has the owner's
   * TXT record and the owner's subscription has not lapsed.
   */
  async function keepsDomain(owner: OwnDomain, records: FoundRecords): Promise<boolean> {
    if (stateOf(owner, rules, clock()) === 'pending' || !hasProof(owner, records)) return false
    const subscription = await deps.store.subscriptions.find(owner.subscriptionId)
    return subscription !== undefined && !subscription.lapsed
  }

  async function save(domain: OwnDomain, records: FoundRecords): Promise<OwnDomain> {
    const { name, subscriptionId, checkedAt } = domain
    const seen = checked(domain, { txtFound: hasProof(domain, records), mxFound: records.mx }, rules, clock())
    metrics.count('domain_checks', { outcome: seen.txtFound && seen.mxFound ? 'found' : 'missing' })
    const owner = seen.state === 'verified' ? await store.owner(name) : undefined
    const other = owner?.subscriptionId === subscriptionId ? undefined : owner
    if (other && (await keepsDomain(other, records))) throw new MayflyError('domain_owned')
    if (!(await store.recordCheck(subscriptionId, name, seen, other?.subscriptionId, checkedAt))) {
      const current = await store.find(subscriptionId, name)
      if (!current) throw new MayflyError('domain_not_found')
      if (current.checkedAt !== checkedAt) return current
      throw new MayflyError('domain_owned')
    }
    deps.onChange(name)
    return { ...domain, ...seen }
  }

  const countUnanswered = (): undefined => void metrics.count('domain_checks', { outcome: 'unanswered' })

  async function recheckOne(domain: OwnDomain, stopping: AbortSignal): Promise<void> {
    const { subscriptionId, name, state, failingSince, txtFound, mxFound, checkedAt } = domain
    const records = await lookUp(name).catch(countUnanswered)
    // An aborted look-up is not a result.
    if (stopping.aborted) return
    if (records) {
      await save(domain, records).catch((error: unknown) => {
        // The domain was removed or got another owner meanwhile.
        if (!(error instanceof MayflyError && error.code.startsWith('domain_'))) throw error
      })
    } else {
      // Counts as checked. Otherwise a few domains whose name servers do not respond would block all others.
      const same = { state, failingSince, txtFound, mxFound, checkedAt: clock() }
      await store.recordCheck(subscriptionId, name, same, undefined, checkedAt)
    }
  }

  return {
    proofOf,

    async check(domain) {
      const records = await lookUp(domain.name).catch((error: unknown) => {
        countUnanswered()
        throw new MayflyError('dns_unavailable', undefined, { cause: error })
      })
      return save(domain, records)
    },

    async recheck(stopping) {
      const now = clock()
      const before = now - rules.interval
      const failing = { before: now - rules.failingInterval, since: now - rules.failing - UNANSWERED }
      for (;;) {
        const due = stopping.aborted ? [] : await store.due(before, BATCH, failing)
        await Promise.all(due.map((domain) => recheckOne(domain, stopping)))
        if (due.length < BATCH) return
      }
    },
  }
}
