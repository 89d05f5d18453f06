import type { EndRules } from '#core/subscription.ts'
import type { Config } from '#config/table.ts'
import { createKeptAddresses, type KeptAddressesDeps } from '#features/kept-addresses.ts'
import { createPrivateAddresses } from '#features/private-addresses.ts'
import { createPrivateMessages } from '#features/private-messages.ts'
import { createSecrets } from '#features/secrets.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { PremiumBase } from './assembly-premium.ts'

const HOUR = 3_600_000

interface KeptBase extends PremiumBase, Pick<KeptAddressesDeps, 'ownDomains'> {
  wrap: Wrap
  rules: EndRules
}

/** The addresses of subscribers, and the secrets of all. */
export function assembleKept(config: Config, base: KeptBase) {
  const { store, bus, clock, wrap, rules, seal, opener, addresses, names, claims, lifetimes, ownDomains } = base
  const { longestRetention, visitGranularity } = base
  const secrets = createSecrets({
    store: store.addresses,
    seal,
    opener,
    wrap,
    bus,
    clock,
    keepKeys: longestRetention + HOUR,
  })
  const kept = createKeptAddresses({
    store: store.keptAddresses,
    addresses,
    names,
    claims,
    secrets,
    ownDomains,
    bus,
    clock,
    wrap,
    rules,
    maxAddresses: config.PREMIUM_ADDRESSES,
    maxLabelCharacters: config.PREMIUM_LABEL_MAX_CHARACTERS,
  })
  const privateAddresses = createPrivateAddresses({
    store: store.addresses,
    kept,
    clock,
    lifetimes,
    visitGranularity,
  })
  const privateMessages = createPrivateMessages({
    store: store.messages,
    opener,
    bus,
    clock,
    pageSize: config.PAGE_MESSAGES,
  })

  return { secrets, keptAddresses: kept, privateAddresses, privateMessages }
}
