import { isOnlyLocal } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import { DAY } from '#core/time.ts'
import {
  createAccessTokens,
  createCatchAll,
  createKeyStretching,
  createPasswordAccounts,
  createPasswordBoxes,
} from '#features/compat/index.ts'
import type { Base } from './base.ts'
import type { Mailbox } from './mailbox.ts'

/** Password checks that run at the same time, and that may wait. The last of them waits for about 10 seconds. */
const LOGINS = { atOnce: 2, maxWaiting: 60 }

/** What clients of other services need. */
export function composeCompat(config: Config, base: Base, { addresses, claims, names }: Mailbox) {
  const { key: serviceKey, store, clock } = base
  const isCatchAll = config.compat.services?.includes('mailpit') === true && isOnlyLocal(config)
  return {
    accounts: createPasswordAccounts({
      store: store.passwords,
      names,
      claims,
      addresses,
      boxes: createPasswordBoxes(serviceKey, createKeyStretching(LOGINS)),
      serviceKey,
      clock,
    }),
    tokens: createAccessTokens(serviceKey, clock, DAY),
    catchAll: isCatchAll ? createCatchAll({ store: store.addresses, addresses, claims, serviceKey, clock }) : undefined,
  }
}
