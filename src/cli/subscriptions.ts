import { toDecimal } from '#core/billing/currency.ts'
import { DAY } from '#core/time.ts'
import type { SubscriptionDetails, SubscriptionView } from '#features/billing/index.ts'
import { languages } from '#locales/languages.ts'
import { daysOption, parseWithIds } from './arguments.ts'
import { type Command, type CommandContext, type CommandServices, replaceControls, UsageError } from './command.ts'

type Print = CommandContext['print']

interface Options {
  days?: string
  language?: string
}

const dateTime = (time: number): string => (time === 0 ? '-' : new Date(time).toISOString())

const rowOf = ({ id, email, state, endsAt, plan }: SubscriptionView): string =>
  [id, replaceControls(email), state, dateTime(endsAt), plan ?? '-'].join('\t')

function detailsOf(found: SubscriptionDetails): string[] {
  const { id, email, language, state, endsAt, plan, paidUntil, renews, failingSince, noticeAt } = found
  const facts = {
    Id: id,
    Email: email,
    Language: language,
    State: state,
    Plan: plan ?? '-',
    'Paid until': dateTime(paidUntil),
    'Ends at': dateTime(endsAt),
    Renews: renews ? 'yes' : 'no',
    'Failing since': dateTime(failingSince ?? 0),
    'Notice sent at': dateTime(noticeAt ?? 0),
  }
  return [
    ...Object.entries(facts).map(([label, value]) => `${label.padEnd(22)}${replaceControls(value)}`),
    ...found.sources.map(({ provider, ref, plan: of, customer }) =>
      ['source', provider, ref, of, customer ?? '-'].map(replaceControls).join('\t'),
    ),
    ...found.payments.map(({ provider, id: payment, state: of, paidAt, total, pays }) =>
      [
        'payment',
        provider,
        payment,
        of,
        dateTime(paidAt),
        `${toDecimal(total)} ${total.currency}`,
        'until' in pays ? `until ${dateTime(pays.until)}` : `${pays.span / DAY} days`,
      ]
        .map(replaceControls)
        .join('\t'),
    ),
  ]
}

interface Action {
  /** The names of its arguments. */
  parameters: readonly string[]
  options?: readonly (keyof Options)[]
  run(services: CommandServices, args: readonly string[], print: Print, options: Options): Promise<void>
}

const ACTIONS: Record<string, Action> = {
  list: {
    parameters: [],
    async run({ subscriptions }, _args, print) {
      for await (const view of subscriptions.list()) print(rowOf(view))
    },
  },
  show: {
    parameters: ['EMAIL-or-ID'],
    async run({ subscriptions }, [emailOrId = ''], print) {
      const found = await subscriptions.find(emailOrId)
      if (!found) throw new Error('There is no such subscription')
      for (const line of detailsOf(found)) print(line)
    },
  },
  grant: {
    parameters: ['EMAIL'],
    options: ['days', 'language'],
    async run({ grants }, [email = ''], print, { days = '', language = 'en' }) {
      const { id, paidUntil } = await grants.grant(email, Number(days) * DAY, language)
      print([id, replaceControls(email), `paid until ${dateTime(paidUntil)}`].join('\t'))
    },
  },
  revoke: {
    parameters: ['ID'],
    async run({ grants }, [id = ''], print) {
      print(`Grants revoked: ${await grants.revoke(id)}`)
    },
  },
  refund: {
    parameters: ['ID', 'PAYMENT'],
    async run({ grants }, [id = '', payment = ''], print) {
      await grants.markRefunded(id, payment)
      print('The payment is marked as refunded')
    },
  },
  end: {
    parameters: ['ID'],
    async run({ deleteAccountAsOperator }, [id = ''], print) {
      await deleteAccountAsOperator(id)
      print('The account and its addresses are deleted, and its renewals are ended')
    },
  },
  reconcile: {
    parameters: [],
    async run({ reconciliation }, _args, print) {
      const { read, differences, failed } = await reconciliation.run()
      for (const { provider, ref, kind } of differences) print([provider, replaceControls(ref), kind].join('\t'))
      print(`${read} compared, ${differences.length} differences`)
      if (failed.length > 0) throw new Error(`Not compared because of errors: ${failed.join(', ')}`)
    },
  },
}

const USAGES = Object.entries(ACTIONS).map(([name, { parameters, options = [] }]) =>
  [name, ...parameters, ...(options.includes('days') ? ['--days N [--language CODE]'] : [])].join(' '),
)

export const subscriptions: Command = {
  usage: `subscriptions ${USAGES.join(' | ')}`,
  about:
    'Show subscriptions, grant or revoke Premium, end an account, and compare all subscriptions with the payment providers',
  async run({ args, print, open }) {
    const usage = new UsageError(`Usage: mayfly ${this.usage}`)
    const { values, positionals } = parseWithIds({
      args,
      allowPositionals: true,
      options: { days: { type: 'string' }, language: { type: 'string' } },
    })
    const [name = '', ...rest] = positionals
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (!action || rest.length !== action.parameters.length) throw usage
    const { options = [] } = action
    if (Object.keys(values).some((option) => !options.includes(option as keyof Options))) throw usage
    if (options.includes('days')) daysOption(values.days)
    const codes = languages.map(({ code }) => code)
    if (values.language !== undefined && !codes.includes(values.language))
      throw new UsageError(`--language must be one of ${codes.join(', ')}`)
    const services = await open()
    try {
      await action.run(services, rest, print, values)
    } finally {
      await services.close()
    }
  },
}
