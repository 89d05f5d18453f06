import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { signedIn, subscribeIn } from './support/fixtures/subscriber.ts'
import { sendMail } from './support/mail/mail.ts'
import { outboxOf } from './support/mail/outbox.ts'
import { createAddress } from './support/program/api.ts'
import { type Program, startProgram } from './support/program/program.ts'

const EMAIL = 'ann@real.example'
const YEAR = 365 * 24 * 3_600_000

let program: Program
afterEach(() => program.stop())

test('a clock that goes a year ahead for a while ends no subscription, and removes no email that was written', async () => {
  program = await startProgram({ turnable: true, env: { MAYFLY_SWEEP_SECONDS: '1' } })
  const outbox = outboxOf(program)
  await subscribeIn(program, EMAIL)
  await signedIn(program, EMAIL)
  await program.turn(YEAR)
  // Longer than the periodic work sleeps.
  await setTimeout(7000)
  await program.turn(0)
  expect((await outbox.all()).map(({ file }) => /-(sign-in|notice|ended)-/.exec(file)?.[1])).toEqual(['sign-in'])
  const client = await signedIn(program, EMAIL)
  expect((await client.json('/api/v1/account')).state).toBe('ending')
})

test('a clock that goes a year ahead for a while removes nothing', async () => {
  program = await startProgram({ turnable: true, env: { MAYFLY_SWEEP_SECONDS: '1' } })
  const logged = (text: string): boolean => program.stderr.some((line) => line.includes(text))
  const owner = await createAddress(program.url)
  await sendMail(program.smtpPort, { to: owner.address, subject: 'still here' })
  await owner.json('/api/v1/messages?wait=30')
  await program.turn(YEAR)
  await expect.poll(() => logged('The clock went ahead')).toBe(true)
  await program.turn(0)
  await expect.poll(() => logged('The clock is right again')).toBe(true)
  const { messages } = await owner.json('/api/v1/messages')
  expect(messages.map(({ subject }: { subject: string }) => subject)).toEqual(['still here'])
})
