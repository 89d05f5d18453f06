import { MayflyError } from '#core/errors.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import { FAULT_DELAY_MAX, type FaultRule } from '#core/mailbox/fault.ts'
import type { Clock } from '#core/time.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { OpenAddress } from './claims.ts'

/**
 * The faults of an address: SMTP replies that its owner chose to test a sender. They are wrapped with the service key,
 * because the receiver must read them without the secret of the address. They are removed with the address, and when
 * its secret is replaced.
 */
export interface Faults {
  list(open: OpenAddress): FaultRule[]
  /** Replaces the rules. Restarts their counts. Throws `invalid_request`, or `unauthorized` if the address is gone. */
  set(open: OpenAddress, rules: readonly FaultRule[]): Promise<void>
}

interface FaultsDeps {
  store: Pick<AddressStore, 'setFaults'>
  wrap: Pick<Wrap, 'wrap' | 'unwrapOrEmpty'>
  clock: Clock
}

/** Reads the rules that are stored with an address. Returns none if they are damaged. */
export function readFaults(wrap: Pick<Wrap, 'unwrapOrEmpty'>, id: string, sealed: Uint8Array | null): FaultRule[] {
  const text = sealed === null ? '' : wrap.unwrapOrEmpty('faults', sealed, id)
  return text === '' ? [] : (JSON.parse(text) as FaultRule[])
}

export function createFaults({ store, wrap, clock }: FaultsDeps): Faults {
  return {
    list: ({ row }) => readFaults(wrap, row.id, row.sealedFaults),

    async set({ row }, rules) {
      check(rules)
      const sealed = rules.length === 0 ? null : wrap.wrap('faults', JSON.stringify(rules), row.id)
      if (!(await store.setFaults(row.id, sealed, clock(), row.secretId))) throw new MayflyError('unauthorized')
      row.sealedFaults = sealed
    },
  }
}

/** Checks what the schema of a request cannot express. */
function check(rules: readonly FaultRule[]): void {
  for (const rule of rules) {
    if (
      rule.action === 'reject' &&
      rule.enhancedCode !== undefined &&
      !rule.enhancedCode.startsWith(`${rule.code}`[0] ?? '')
    )
      throw new MayflyError('invalid_request', '`enhancedCode` must start with the first digit of `code`.')
  }
  for (const stage of ['rcpt', 'data']) {
    const delays = rules.map((rule) => (rule.action === 'delay' && rule.at === stage ? rule.seconds : 0))
    if (delays.reduce((sum, each) => sum + each, 0) > FAULT_DELAY_MAX)
      throw new MayflyError('invalid_request', `All delays at \`${stage}\` together may be ${FAULT_DELAY_MAX} seconds.`)
  }
}
