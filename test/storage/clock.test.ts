import { afterEach, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

const YEAR = 365 * 24 * 3_600_000

let program: Program
afterEach(() => program.stop())

test('removes nothing while the clock is a year ahead for some time', async () => {
  program = await startProgram({ turnable: true, env: { MAYFLY_SWEEP_SECONDS: '1' } })
  const logged = (text: string): boolean => program.stderr.some((line) => line.includes(text))
  const owner = await createAddress(program.url)
  await sendMail(program.smtpPort, { to: owner.address, subject: 'still here' })
  await owner.json('/api/v1/messages?wait=30')
  await program.turn(YEAR)
  await expect.poll(() => logged('the clock jumped ahead')).toBe(true)
  await program.turn(0)
  await expect.poll(() => logged('the clock is correct again')).toBe(true)
  const { messages } = await owner.json('/api/v1/messages')
  expect(messages.map(({ subject }: { subject: string }) => subject)).toEqual(['still here'])
})
