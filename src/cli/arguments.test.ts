import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { CommandServices } from './command.ts'
import { mayfly } from './testing.ts'

describe('operator-mail delete', () => {
  /** Runs it with the messages of a mailbox, and returns what is left of them too. */
  async function remove(ids: string[], left: string[]) {
    const services = {
      addresses: { open: async () => ({}) },
      messages: {
        async remove(_mailbox: unknown, id: string) {
          if (id === 'broken') throw new MayflyError('store_unavailable')
          if (!left.includes(id)) throw new MayflyError('message_not_found')
          left.splice(left.indexOf(id), 1)
        },
      },
      close: async () => {},
    } as unknown as CommandServices
    const { status, errors } = await mayfly(['operator-mail', 'delete', ...ids], undefined, {
      open: async () => services,
    })
    return { status, errors, left }
  }

  test.each<[string[], string[], string[]]>([
    [['a', 'b'], ['c'], []],
    [['a', 'gone', 'b'], ['c'], ['This message does not exist: gone. The others were deleted']],
    [['gone', 'a', 'lost'], ['b', 'c'], ['These messages do not exist: gone, lost. The others were deleted']],
    [['gone'], ['a', 'b', 'c'], ['This message does not exist: gone']],
    [['a', 'a'], ['b', 'c'], []],
  ])('%j leaves %j', async (ids, left, errors) =>
    expect(await remove(ids, ['a', 'b', 'c'])).toEqual({ status: errors.length, errors, left }),
  )

  test('stops at any other error', async () =>
    expect(await remove(['gone', 'broken', 'a'], ['a'])).toEqual({
      status: 1,
      errors: ['The store cannot write'],
      left: ['a'],
    }))
})

describe('an id that begins with hyphens', () => {
  const IDS = ['-bcdefghijklmnopqrstuv', '--cdefghijklmnopqrstuv', '-_cdefghij-lmnopqrst-v']
  /** Answers every call, and records its last argument. */
  function recorder() {
    const given: unknown[] = []
    const call = async (...args: unknown[]) => {
      given.push(args.at(-1))
      return {}
    }
    // Every service and every call of it.
    const group = new Proxy(call, { get: () => call })
    const services = new Proxy({} as CommandServices, {
      get: (_none, name) => (name === 'then' ? undefined : name === 'close' ? async () => {} : group),
    })
    return { given, open: async () => services }
  }

  test.each(
    IDS.flatMap((id) => [
      [['subscriptions', 'revoke', id], id],
      [['subscriptions', 'revoke', '--', id], id],
      [['subscriptions', 'end', id], id],
      [['subscriptions', 'refund', id, 'payment'], 'payment'],
      [['subscriptions', 'refund', 'subscription', id], id],
      [['keys', 'revoke', id], id],
      [['keys', 'revoke', '--', id], id],
      [['webhooks', 'remove', id], id],
      [['webhooks', 'remove', '--', id], id],
    ]) as [string[], string][],
  )('%j', async (argv, last) => {
    const { given, open } = recorder()
    const { status, errors } = await mayfly(argv, undefined, { open })
    expect([status, errors, given.at(-1)]).toEqual([0, [], last])
  })

  test('is none if it is shorter or longer', async () => {
    for (const id of ['-abc', `${IDS[0]}w`, '-'.padEnd(22, '=')])
      expect((await mayfly(['subscriptions', 'show', id])).status).toBe(2)
  })
})

test('after `--`, arguments that begin with a hyphen are none of the options', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-cli-'))
  await writeFile(join(directory, '-a.eml'), 'Subject: Hello\r\n\r\n')
  const before = process.cwd()
  process.chdir(directory)
  try {
    expect(await mayfly(['find-code', '--', '-a.eml'])).toMatchObject({ status: 0 })
  } finally {
    process.chdir(before)
  }
  for (const argv of [
    ['dns', '--', 'a.example'],
    ['doctor', '--', 'a.example'],
    ['operator-mail', '--', 'id'],
    ['operator-mail', 'delete', '--', 'id'],
    ['outbox', '--', 'file'],
    ['backup', '--', '-file'],
    ['restore', '--', '-file'],
  ])
    expect(await mayfly(argv)).toMatchObject({ status: 1, errors: ['one line'] })
})
