import { accounts } from './accounts.ts'
import { compat } from './compat.ts'
import { email } from './email.ts'
import { forwarding } from './forwarding.ts'
import { http } from './http.ts'
import { mailbox } from './mailbox.ts'
import { operating } from './operating.ts'
import { operator } from './operator.ts'
import { ownDomains } from './own-domains.ts'
import { pages } from './pages.ts'
import { payments } from './payments.ts'
import { premium } from './premium.ts'
import { server } from './server.ts'
import type { ValueOf } from './setting.ts'
import { smtp } from './smtp.ts'
import { storage } from './storage.ts'
import { webhooks } from './webhooks.ts'

/**
 * All settings and limits, in groups. The tables in the documentation, `--help` and the type `Config` are made from them.
 */
export const groups = {
  server,
  storage,
  mailbox,
  smtp,
  http,
  compat,
  pages,
  premium,
  ownDomains,
  webhooks,
  payments,
  accounts,
  email,
  forwarding,
  operating,
  operator,
}

export type Config = {
  readonly [Group in keyof typeof groups]: {
    readonly [Name in keyof (typeof groups)[Group]]: ValueOf<(typeof groups)[Group][Name]>
  }
} & {
  /** The settings that the operator set, even to the default. */
  readonly given: ReadonlySet<Key>
  /** Former settings that the operator still sets. */
  readonly ignored: readonly Former[]
}

type Groups = typeof groups
/** The name of an environment variable without `MAYFLY_`. */
export type Key = {
  [Group in keyof Groups]: Groups[Group][keyof Groups[Group]] extends { key: infer K extends string } ? K : never
}[keyof Groups]

export const PREFIX = 'MAYFLY_'

/**
 * Former settings, with their new names, or `null` if their values are constants now. They have no effect. The service still
 * starts if they are set, and warns of them, so an upgrade does not fail because of them.
 */
export const RETIRED = {
  FORWARD_BOUNCE_DAYS: null,
  OUTBOX_DAYS: null,
  WEBHOOK_CALLS_PER_SECOND: 'PAYMENT_EVENTS_PER_SECOND',
  WEBHOOK_MAX_BYTES: 'PAYMENT_EVENT_MAX_BYTES',
} as const satisfies Record<string, Key | null>
type Former = keyof typeof RETIRED
