import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newSecret } from '#core/mailbox/secret.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { call, clientOf, createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const ROUNDS = 3
/** Fewer than the maximum of earlier keys, over all rounds. */
const PER_ROUND = 6

/** Returns whether the response arrived. The process may be gone. */
const answered = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  )

test(
  'after a kill during the replacement of a secret, the old or the new secret opens every acknowledged message',
  { timeout: 180_000 },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-secrets-'))
    const start = (): Promise<Program> => startProgram({ dataDir, env: WITHOUT_LIMITS })
    let program = await start()
    const { address, secret: first } = await createAddress(program.url)
    let secret = first
    const acknowledged: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const { url, smtpPort } = program
      let running = true
      const sending = (async () => {
        for (let i = 0; running; i++) {
          const subject = `round ${round} mail ${i}`
          if (await answered(sendMail(smtpPort, { to: address, subject, text: 'hello' }))) acknowledged.push(subject)
        }
      })()
      await expect
        .poll(() => acknowledged.filter((each) => each.startsWith(`round ${round} `)).length)
        .toBeGreaterThan(1)
      for (let i = 0; i < PER_ROUND - 1; i++) {
        const next = newSecret()
        expect((await call(url, 'POST', '/api/v1/address/secret', { secret: next }, secret)).status).toBe(200)
        secret = next
      }
      const last = newSecret()
      const change = answered(call(url, 'POST', '/api/v1/address/secret', { secret: last }, secret))
      // Later kills interrupt later steps.
      for (let i = 0; i < round; i++) await answered(call(url, 'GET', '/livez'))
      await program.stop('SIGKILL')
      await change
      running = false
      await sending

      program = await start()
      const opens = async (each: string) => (await clientOf(program.url, address, each).get('/api/v1/address')).status
      const statuses = [await opens(secret), await opens(last)]
      expect(statuses.toSorted()).toEqual([200, 401])
      if (statuses[1] === 200) secret = last
      const client = clientOf(program.url, address, secret)
      const found: string[] = []
      for (let before = ''; ;) {
        const { messages, next } = await client.json(`/api/v1/messages?${before}`)
        found.push(...messages.map(({ subject }: { subject: string }) => subject))
        if (next === null) break
        before = `before=${next}`
      }
      expect(acknowledged.filter((subject) => !found.includes(subject))).toEqual([])
    }
    await program.stop()
    await rm(dataDir, { recursive: true })
  },
)
