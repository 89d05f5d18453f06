import { parseArgs } from 'node:util'
import { DAY } from '#core/time.ts'
import type { SubscriptionDetails, SubscriptionView } from '#features/billing/index.ts'
import { type Command, type CommandContext, type CommandServices, UsageError } from './command.ts'
import { harmless } from './harmless.ts'

const DAYS_MAX = 36_500

type Print = CommandContext['print']

interface Options {
  days?: string
  language?: string
}

const day = (time: number): string => (time === 0 ? '-' : new Date(time).toISOString())

const rowOf = ({ id, email, state, endsAt, plan }: SubscriptionView): string =>
  [id, harmless(email), state, day(endsAt), plan ?? '-'].join('\t')

function detailsOf(found: SubscriptionDetails): string[] {
  const { id, email, language, state, endsAt, plan, paidUntil, renews, failingSince, noticeAt } = found
  const facts = {
    Id: id,
    Email: email,
    Language: language,
    State: state,
    Plan: plan ?? '-',
    'Paid until': day(paidUntil),
    'Ends at': day(endsAt),
    Renews: renews ? 'yes' : 'no',
    'Renewal fails since': day(failingSince ?? 0),
    'Told of the end at': day(noticeAt ?? 0),
  }
  return [
    ...Object.entries(facts).map(([label, value]) => `${label.padEnd(22)}${harmless(value)}`),
    ...found.sources.map(({ provider, ref, plan: of, customer }) =>
      ['source', provider, ref, of, customer ?? '-'].map(harmless).join('\t'),
    ),
    ...found.payments.map(({ provider, id: payment, state: of, paidAt, total, pays }) =>
      [
        'payment',
        provider,
        payment,
        of,
        day(paidAt),
        `${total.amount} ${total.currency}`,
        'until' in pays ? `until ${day(pays.until)}` : `${pays.span / DAY} days`,
      ]
        .map(harmless)
        .join('\t'),
    ),
  ]
}

interface Action {
  /** What it needs beside its name. */
  takes: readonly string[]
  options?: readonly (keyof Options)[]
  act(services: CommandServices, args: readonly string[], print: Print, options: Options): Promise<void>
}

const ACTIONS: Record<string, Action> = {
  list: {
    takes: [],
    async act({ subscriptions }, _args, print) {
      for await (const view of subscriptions.list()) print(rowOf(view))
    },
  },
  show: {
    takes: ['EMAIL-or-ID'],
    async act({ subscriptions }, [which = ''], print) {
      const found = await subscriptions.find(which)
      if (!found) throw new Error('There is no such subscription')
      for (const line of detailsOf(found)) print(line)
    },
  },
  grant: {
    takes: ['EMAIL'],
    options: ['days', 'language'],
    async act({ grants }, [email = ''], print, { days = '', language = 'en' }) {
      const { id, paidUntil } = await grants.grant(email, Number(days) * DAY, language)
      print([id, harmless(email), `paid until ${day(paidUntil)}`].join('\t'))
    },
  },
  revoke: {
    takes: ['ID'],
    async act({ grants }, [id = ''], print) {
      print(`Took back what the operator granted: ${await grants.revoke(id)}`)
    },
  },
  refund: {
    takes: ['ID', 'PAYMENT'],
    async act({ grants }, [id = '', payment = ''], print) {
      await grants.markRefunded(id, payment)
      print('The payment counts as given back')
    },
  },
  reconcile: {
    takes: [],
    async act({ reconciliation }, _args, print) {
      const { read, differences, failed } = await reconciliation.run()
      for (const { provider, ref, kind } of differences) print([provider, harmless(ref), kind].join('\t'))
      print(`${read} read back, ${differences.length} differences`)
      if (failed.length > 0) throw new Error(`Not all could be compared: ${failed.join(', ')}`)
    },
  },
}

const FORMS = Object.entries(ACTIONS).map(([name, { takes, options = [] }]) =>
  [name, ...takes, ...(options.includes('days') ? ['--days N [--language CODE]'] : [])].join(' '),
)

export const subscriptions: Command = {
  usage: `subscriptions ${Object.keys(ACTIONS).join(' | ')}`,
  about: 'Look at subscriptions, grant them, take grants back, and compare all with the payment services',
  async run({ args, print, open }) {
    const usage = new UsageError(`Usage: mayfly subscriptions ${FORMS.join(' | ')}`)
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { days: { type: 'string' }, language: { type: 'string' } },
    })
    const [name = '', ...rest] = positionals
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (!action || rest.length !== action.takes.length) throw usage
    const { options = [] } = action
    if (Object.keys(values).some((option) => !options.includes(option as keyof Options))) throw usage
    if (options.includes('days') && !(/^[1-9]\d*$/.test(values.days ?? '') && Number(values.days) <= DAYS_MAX))
      throw new UsageError(`--days is a whole number from 1 to ${DAYS_MAX}`)
    const services = await open()
    try {
      await action.act(services, rest, print, values)
    } finally {
      await services.close()
    }
  },
}
