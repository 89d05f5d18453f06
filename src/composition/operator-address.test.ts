import { describe, expect, test } from 'vitest'
import { oneLine } from '#cli/run.ts'
import { ConfigError, loadConfig } from '#config/load.ts'
import { MayflyError, smtpReply } from '#core/errors.ts'
import { DAY } from '#core/time.ts'
import { ENGINES, openServices } from '#test/support/fixtures/services.ts'
import { requireOperatorAddress } from './operator-address.ts'

const ENVELOPE = {
  helo: 'x',
  clientAddress: '192.0.2.1',
  tls: false,
  receivedAt: Date.UTC(2026, 0, 1),
  mailFrom: 'a@sender.example',
}
const domains = { MAYFLY_DOMAINS: 'mayfly.test,bücher.example' }

test.each([
  ['anna.schmidt@mayfly.test', ['anna.schmidt@mayfly.test', 'Anna.Schmidt+law@MAYFLY.TEST']],
  ['Kontakt+Legal@Mayfly.test', ['kontakt@mayfly.test', 'kontakt+legal@mayfly.test']],
  ['info@bücher.example', ['info@xn--bcher-kva.example', 'info@bücher.example']],
  ['legal@vip.mayfly.test', ['legal@vip.mayfly.test']],
])('mail to MAYFLY_OPERATOR_EMAIL %s reaches the operator, and nobody can have it', async (email, recipients) => {
  const services = await openServices({ env: { ...domains, MAYFLY_OPERATOR_EMAIL: email } })
  const operator = (await services.addresses.open(services.operatorSecret))!
  for (const recipient of recipients)
    await services.receive.deliver(
      ENVELOPE,
      [await services.receive.accept(recipient)],
      Buffer.from('Subject: x\r\n\r\n'),
    )
  expect((await services.messages.list(operator, {})).messages).toHaveLength(recipients.length)
  const [login = '', domain = ''] = recipients[0]!.split('@')
  const wanted = { login, domain }
  expect(() => [...services.names.forSubscriber(wanted, 'id', [])]).toThrow(new MayflyError('login_reserved'))
  await requireOperatorAddress(services.config, services)
  await services.close()
})

test('an address with the same login at another domain is free', async () => {
  const services = await openServices({ env: { ...domains, MAYFLY_OPERATOR_EMAIL: 'anna@mayfly.test' } })
  await services.addresses.create({ login: 'anna', domain: 'xn--bcher-kva.example' })
  const reply = await services.receive.accept('anna@vip.mayfly.test').catch(smtpReply)
  expect(reply).toContain('550 5.1.1')
  await services.close()
})

test('if it is also the sender of our emails, its mail is read', async () => {
  const email = 'hello@mayfly.test'
  const services = await openServices({ env: { MAYFLY_OPERATOR_EMAIL: email, MAYFLY_OUTBOUND_FROM: email } })
  expect(await services.receive.accept(email)).toMatchObject({ operator: { share: 'postmaster' } })
  await services.close()
})

describe.each(ENGINES)('an address that somebody has, on %s', (engine) => {
  test('is refused at the start, until its name is free again', async () => {
    const services = await openServices({ engine })
    const email = 'Anna@mayfly.test'
    const config = loadConfig({ MAYFLY_OPERATOR_EMAIL: email })
    const start = () =>
      requireOperatorAddress(config, services).then(
        () => 'starts',
        (error: unknown) => error,
      )
    expect(await start()).toBe('starts')
    const { open } = await services.addresses.create({ login: 'anna' })
    const error = await start()
    expect(error).toBeInstanceOf(ConfigError)
    expect(oneLine(error)).toMatch(/^MAYFLY_OPERATOR_EMAIL is "Anna@mayfly\.test", .*postmaster@mayfly\.test/)
    expect(await requireOperatorAddress(loadConfig({}), services)).toBeUndefined()
    services.time.now = open.row.expiresAt + 29 * DAY
    expect(await start()).toBeInstanceOf(ConfigError)
    services.time.now += DAY
    expect(await start()).toBe('starts')
    await services.close()
  })
})
