import { randomBytes } from 'node:crypto'
import { NEVER } from '#core/lifetime.ts'
import type { Subscription } from '#core/subscription.ts'
import { createDomainChecks } from '#features/own-domain-checks.ts'
import { createDomainRecipients } from '#features/own-domain-recipients.ts'
import { createOwnDomains } from '#features/own-domains.ts'
import { createDns } from '#integrations/dns.ts'
import { deriveKeys, nameKey, newSecret } from '#mail/sealing/keys.ts'
import { addressPlace } from '#mail/sealing/place.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { startDnsServer } from './dns-server.ts'
import { subscribe } from './subscriber.ts'
import { DAY, HOUR, type UseCases } from './use-cases.ts'

const seal = createSeal()

export const MAX = 3
export const FAILING = 7 * DAY
export const INTERVAL = 24 * HOUR
/** Milliseconds that a DNS look-up may take. */
const LOOK_UP = 600
export const HOST = 'mx.mayfly.test'

/** The use cases of own domains over a store, a DNS server whose zone the test changes, and a clock that it turns. */
export async function openOwnDomains({ store, time, addresses, bus }: UseCases, lookUp = LOOK_UP) {
  const clock = (): number => time.now
  const dnsServer = await startDnsServer()
  const serviceKey = randomBytes(32)
  const wrap = createWrap(serviceKey)
  const rules = { interval: INTERVAL, failing: FAILING }
  const recipients = createDomainRecipients({ store, clock, rules })
  const { forget: onChange } = recipients
  const dns = createDns({ servers: [dnsServer.address], timeout: lookUp })
  const checks = createDomainChecks({
    store,
    dns,
    clock,
    metrics: createMetrics(),
    wrap,
    mailHosts: [HOST, 'mayfly.test'],
    rules,
    onChange,
  })
  const domains = createOwnDomains({
    store,
    addresses,
    clock,
    wrap,
    checks,
    serviceDomains: ['mayfly.test', 'vip.dayfly.test'],
    rules: { ends: { grace: DAY, notice: 14 * DAY }, domains: rules, max: MAX },
    onChange,
  })
  const { zone } = dnsServer

  return {
    ...domains,
    ...recipients,
    proofOf: checks.proofOf,
    recheck: checks.recheck,
    bus,
    zone,
    asked: dnsServer.asked,
    /** Lets all look-ups that wait reject. */
    cancel: () => dns.close(),
    close: () => dnsServer.close(),

    /** A subscription that is paid for a year. */
    subscribe: (): Promise<Subscription> => subscribe(store, wrap, `${randomBytes(8).toString('hex')}@real.example`),

    async lapse({ id }: Subscription, lapsed = true): Promise<void> {
      const now = await store.subscriptions.find(id)
      if (!now || !(await store.subscriptions.change(id, now.revision, { lapsed }))) throw new Error('Not changed')
    },

    /** An address of a subscription; answers its id. */
    async keep(subscription: Subscription, address: string): Promise<string> {
      const keys = deriveKeys(newSecret())
      if (!keys) throw new Error('A new secret is one')
      const row = {
        id: keys.id,
        nameKey: nameKey(serviceKey, `${address}/${subscription.id}`),
        publicKey: keys.publicKey,
        sealedName: seal(
          keys.publicKey,
          addressPlace('name', { id: keys.id, createdAt: time.now }),
          Buffer.from(address),
        ),
        createdAt: time.now,
      }
      const claimed = { ...row, lifetime: 'subscription' as const, expiresAt: NEVER, heldUntil: NEVER }
      if (!(await store.addresses.claim(claimed, time.now))) throw new Error('The name is taken')
      const kept = {
        addressId: keys.id,
        subscriptionId: subscription.id,
        nameKey: row.nameKey,
        sealedName: wrap.wrap('address', address),
        sealedLabel: null,
        sealedSecret: Buffer.alloc(1),
        createdAt: time.now,
      }
      if (!(await store.keptAddresses.add(kept, 10, time.now))) throw new Error('Not kept')
      return keys.id
    },

    /** Puts the records that these subscriptions need into the DNS, and those of no others. */
    async point(name: string, ...subscriptions: Subscription[]): Promise<void> {
      zone[`_mayfly.${name} TXT`] = subscriptions.map(({ id }) => checks.proofOf(name, id).txt.value)
      zone[`${name} MX`] = subscriptions.length > 0 ? [`10 ${HOST}`] : []
    },

    /** Adds and verifies a domain. */
    async own(subscription: Subscription, name: string) {
      await domains.add(subscription, name)
      await this.point(name, subscription)
      return domains.check(subscription, name)
    },
  }
}
