import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { openMailboxFixture, type MailboxFixture } from '#test/support/fixtures/mailbox.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import { ensureOperatorMailbox } from './operator-mailbox.ts'

const seal = createSeal()

let fixture: MailboxFixture
beforeEach(async () => {
  fixture = await openMailboxFixture()
})
afterEach(() => fixture.close())

const mailbox = async () => (await fixture.addresses.open(fixture.operatorSecret))!
const subjects = async () =>
  (await fixture.messages.list(await mailbox(), {})).messages.map(({ subject, to }) => `${subject} ${to}`)

test('receives messages to postmaster@ and abuse@ of every domain, including premium domains', async () => {
  const recipients = ['postmaster', 'abuse'].flatMap((name) =>
    ['mayfly.test', 'vip.mayfly.test'].map((at) => `${name}@${at}`),
  )
  for (const to of recipients) await fixture.deliver([to])
  expect(await subjects()).toEqual(recipients.toReversed().map((to) => `hello ${to}`))
})

test('receives one copy of a message to both names and to an address', async () => {
  const { open } = await fixture.addresses.create({ login: 'beside' })
  await fixture.deliver(['postmaster@mayfly.test', 'abuse@mayfly.test', 'beside@mayfly.test', 'BESIDE+x@mayfly.test'])
  expect(await subjects()).toHaveLength(1)
  expect((await fixture.messages.list(open, {})).messages).toHaveLength(1)
})

test('keeps messages for 90 days, and never expires', async () => {
  await fixture.deliver(['abuse@mayfly.test'])
  fixture.time.now += 90 * DAY - 1
  await fixture.sweep.run()
  expect(await subjects()).toHaveLength(1)
  fixture.time.now += 1
  expect(await subjects()).toHaveLength(0)
  await fixture.sweep.run()
  fixture.time.now += 3650 * DAY
  await fixture.sweep.run()
  expect(await fixture.addresses.view(await mailbox())).toMatchObject({
    lifetime: 'operator',
    storage: { usedBytes: 0 },
  })
})

test('reserves its names', async () => {
  for (const login of ['operator', 'postmaster', 'abuse', 'Postmaster', 'p.ostmaster'])
    await expect(fixture.addresses.create({ login })).rejects.toMatchObject({ code: 'login_reserved' })
})

test.runIf(ENGINES.includes('PostgreSQL'))(
  'is created once by nodes that start together on an empty database',
  async () => {
    const { store, addresses, time, close } = await openMailboxFixture({ engine: 'PostgreSQL' })
    const deps = { store: store.addresses, clock: () => time.now, seal, serviceKey: randomBytes(32) }
    const secrets = await Promise.all(Array.from({ length: 5 }, () => ensureOperatorMailbox(deps)))
    expect(new Set(secrets).size).toBe(1)
    expect(await addresses.open(secrets[0] ?? '')).toBeDefined()
    await close()
  },
)
