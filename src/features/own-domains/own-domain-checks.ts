import { MayflyError } from '#core/errors.ts'
import type { SubscriptionId } from '#core/ids.ts'
import { checked, type DnsLookup, type DomainRules, type OwnDomain, stateOf } from '#core/own-domains/own-domain.ts'
import type { Store } from '#core/store.ts'
import type { Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

/** The DNS records that prove that a domain belongs to a subscriber. */
export interface DomainProof {
  /** Name and text of the TXT record. */
  txt: { name: string; value: string }
  /** The host that one of its MX records must name. */
  mx: string
}

export interface DomainChecks {
  proofOf(name: string, subscriptionId: SubscriptionId): DomainProof
  /**
   * Checks a domain and stores the result. Throws `dns_unavailable`, `domain_owned` or `domain_not_found` without a
   * change.
   */
  check(domain: OwnDomain): Promise<OwnDomain>
  /** Checks all owned domains whose last check is too long ago. */
  recheck(stopping: AbortSignal): Promise<void>
}

export interface DomainChecksDeps {
  store: Pick<Store, 'ownDomains' | 'subscriptions'>
  dns: DnsLookup
  clock: Clock
  metrics: Metrics
  wrap: Pick<Wrap, 'hash'>
  /** Names of this service's SMTP server, in lower case. The first one is shown to subscribers. */
  mailHosts: readonly [string, ...string[]]
  rules: DomainRules
  /** Called for each domain whose state or owner may have changed. */
  onChange(name: string): void
}

/** Domains that are checked at the same time. */
const TOGETHER = 20
/** RFC 8552: a name with an underscore is not a host. */
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

  interface Answers {
    texts: ReadonlySet<string>
    mx: boolean
  }

  async function ask(name: string): Promise<Answers> {
    const [texts, hosts] = await Promise.all([dns.txt(TXT_PREFIX + name), dns.mx(name)])
    // Some providers keep quotation marks that were typed into their form as part of the text.
    const plain = texts.map((text) => text.trim().replace(/^"(.*)"$/s, '$1'))
    return { texts: new Set(plain), mx: hosts.some((host) => mailHosts.includes(host)) }
  }

  const names = ({ name, subscriptionId }: OwnDomain, { texts }: Answers): boolean =>
    texts.has(proofOf(name, subscriptionId).txt.value)

  /**
   * Whether an owner stays the owner while another subscriber proves the domain too: as long as the records still name
   * the owner.
   */
  async function stays(owner: OwnDomain, answers: Answers): Promise<boolean> {
    if (stateOf(owner, rules, clock()) === 'pending' || !names(owner, answers)) return false
    const subscription = await deps.store.subscriptions.find(owner.subscriptionId)
    return subscription !== undefined && !subscription.lapsed
  }

  async function write(domain: OwnDomain, answers: Answers): Promise<OwnDomain> {
    const { name, subscriptionId } = domain
    const seen = checked(domain, { txtFound: names(domain, answers), mxFound: answers.mx }, rules, clock())
    metrics.count('domain_checks', { outcome: seen.txtFound && seen.mxFound ? 'found' : 'missing' })
    const owner = seen.state === 'verified' ? await store.owner(name) : undefined
    const other = owner?.subscriptionId === subscriptionId ? undefined : owner
    if (other && (await stays(other, answers))) throw new MayflyError('domain_owned')
    if (!(await store.check(subscriptionId, name, seen, other?.subscriptionId))) {
      throw new MayflyError((await store.find(subscriptionId, name)) ? 'domain_owned' : 'domain_not_found')
    }
    deps.onChange(name)
    return { ...domain, ...seen }
  }

  const unanswered = (): undefined => void metrics.count('domain_checks', { outcome: 'unanswered' })

  async function recheckOne(domain: OwnDomain, stopping: AbortSignal): Promise<void> {
    const answers = await ask(domain.name).catch(unanswered)
    // A check that a stop interrupted has no result.
    if (stopping.aborted) return
    if (answers) {
      await write(domain, answers).catch((error: unknown) => {
        // In the meantime it was removed or got another owner.
        if (!(error instanceof MayflyError && error.code.startsWith('domain_'))) throw error
      })
    } else {
      // Recorded as checked anyway. Otherwise a few names without a response would delay all others.
      const { subscriptionId, name, state, failingSince, txtFound, mxFound } = domain
      await store.check(subscriptionId, name, { state, failingSince, txtFound, mxFound, checkedAt: clock() })
    }
  }

  return {
    proofOf,

    async check(domain) {
      const answers = await ask(domain.name).catch((error: unknown) => {
        unanswered()
        throw new MayflyError('dns_unavailable', undefined, { cause: error })
      })
      return write(domain, answers)
    },

    async recheck(stopping) {
      const before = clock() - rules.interval
      for (;;) {
        const due = stopping.aborted ? [] : await store.due(before, TOGETHER)
        await Promise.all(due.map((domain) => recheckOne(domain, stopping)))
        if (due.length < TOGETHER) return
      }
    },
  }
}
