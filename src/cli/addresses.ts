import { parseArgs } from 'node:util'
import { DAY } from '#core/time.ts'
import { daysOption } from './arguments.ts'
import { type Command, UsageError } from './command.ts'

/** How long the name of an address that the operator removes is reserved, unless the command says otherwise. */
const DEFAULT_DAYS = '365'

export const addresses: Command = {
  usage: 'addresses remove ADDRESS [--days N]',
  about: `Delete an address with its messages, and keep its name from being created again (${DEFAULT_DAYS} days)`,
  async run({ args, print, open }) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { days: { type: 'string' } } })
    const [action, address, ...more] = positionals
    if (action !== 'remove' || address === undefined || more.length > 0)
      throw new UsageError(`Usage: mayfly ${this.usage}`)
    const days = daysOption(values.days ?? DEFAULT_DAYS)
    const services = await open()
    try {
      const { wasThere, heldUntil } = await services.withdrawals.withdraw(address, days * DAY)
      print(wasThere ? 'The address and its messages are deleted' : 'There is no such address')
      print(`Nobody can create it before ${new Date(heldUntil).toISOString()}`)
    } finally {
      await services.close()
    }
  },
}
