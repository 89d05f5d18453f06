import type { Config } from '#config/table.ts'
import type { EndRules } from '#core/billing/subscription.ts'
import { HOUR } from '#core/time.ts'
import { type KeptAddressesDeps, createKeptAddresses } from '#features/account/index.ts'
import { createSecrets } from '#features/mailbox/index.ts'
import { createPrivateAddresses, createPrivateMessages } from '#features/private/index.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { PremiumBase } from './base.ts'

/** Length of the name that a subscriber gives an address or an API key. */
export const LABEL_MAX_CHARACTERS = 40

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
    maxAddresses: config.premium.addresses,
    maxLabelCharacters: LABEL_MAX_CHARACTERS,
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
    pageSize: config.mailbox.pageSize,
  })

  return { secrets, keptAddresses: kept, privateAddresses, privateMessages }
}
