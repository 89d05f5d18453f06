import { withoutSeparator } from './arguments.ts'
import { type Command, type CommandContext, type CommandServices, replaceControls, UsageError } from './command.ts'

interface Action {
  parameter?: string
  /** Whether it creates data for one service only, so that its data directory is printed. */
  creates?: boolean
  run(services: CommandServices, argument: string, print: CommandContext['print']): Promise<void>
}

/** A command for whoever runs a service that is not public, and has Premium without a subscription. */
function localCommand(name: string, about: string, actions: Record<string, Action>): Command {
  const usages = Object.entries(actions).map(([action, { parameter }]) => [action, parameter].filter(Boolean).join(' '))
  return {
    usage: `${name} ${usages.join(' | ')}`,
    about,
    async run({ args, print, printError, open, isPublic, dataDir }) {
      const [action = '', ...rest] = withoutSeparator(args)
      const chosen = Object.hasOwn(actions, action) ? actions[action] : undefined
      if (!chosen || rest.length !== (chosen.parameter === undefined ? 0 : 1))
        throw new UsageError(`Usage: mayfly ${this.usage}`)
      if (isPublic)
        throw new Error(
          `mayfly ${name} works only if MAYFLY_PUBLIC_URL is http or localhost. On a public site, subscribers use their account`,
        )
      const services = await open()
      if (chosen.creates && dataDir !== undefined) printError(`Data directory: ${dataDir}`)
      try {
        await chosen.run(services, rest[0] ?? '', print)
      } finally {
        await services.close()
      }
    },
  }
}

const time = (milliseconds: number | null): string =>
  milliseconds === null ? '-' : new Date(milliseconds).toISOString()

export const keys = localCommand('keys', 'Manage API keys of a service that is not public', {
  create: {
    parameter: 'LABEL',
    creates: true,
    async run({ apiKeys, grants }, label, print) {
      print((await apiKeys.create(await grants.local(), label)).token)
    },
  },
  list: {
    async run({ apiKeys, grants }, _none, print) {
      for (const { id, label, createdAt, usedAt } of await apiKeys.list(await grants.local()))
        print([id, replaceControls(label), time(createdAt), time(usedAt)].join('\t'))
    },
  },
  revoke: {
    parameter: 'ID',
    async run({ apiKeys, grants }, id, print) {
      await apiKeys.revoke(await grants.local(), id)
      print('The key is revoked')
    },
  },
})

export const webhooks = localCommand('webhooks', 'Manage webhooks of a service that is not public', {
  add: {
    parameter: 'URL',
    creates: true,
    async run({ webhooks: service, grants }, url, print) {
      const { id, secret } = await service.add(await grants.local(), url)
      print(`${id}\t${secret}`)
    },
  },
  list: {
    async run({ webhooks: service, grants }, _none, print) {
      for (const { id, url, state, deliveredAt } of await service.list(await grants.local()))
        print([id, replaceControls(url), state, time(deliveredAt)].join('\t'))
    },
  },
  test: {
    parameter: 'ID',
    async run({ webhooks: service, grants }, id, print) {
      const status = await service.test(await grants.local(), id)
      if (status === null) throw new Error('There was no response')
      print(`The response had the status ${status}`)
    },
  },
  remove: {
    parameter: 'ID',
    async run({ webhooks: service, grants }, id, print) {
      await service.remove(await grants.local(), id)
      print('The webhook is removed')
    },
  },
})
