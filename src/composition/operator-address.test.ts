import { describe, expect, test } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { MayflyError, smtpReply } from '#core/errors.ts'
import { DAY } from '#core/time.ts'
import { createClaims } from '#features/mailbox/index.ts'
import { nameKey } from '#mail/sealing/keys.ts'
import { ENGINES, openServices } from '#test/support/fixtures/services.ts'
import { operatorAddressWarning } from './operator-address.ts'

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
  expect(await operatorAddressWarning(services.config, services)).toBeUndefined()
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
  test('keeps its mail, with a warning until its name is free again', async () => {
    const services = await openServices({ engine, env: { MAYFLY_OPERATOR_EMAIL: 'Anna@mayfly.test' } })
    const warning = () => operatorAddressWarning(services.config, services)
    expect(await warning()).toBeUndefined()
    const names = [{ address: 'anna@mayfly.test', nameKey: nameKey(services.key, 'anna@mayfly.test') }]
    await expect(services.claims.claimFirst(names, { lifetime: 'day' })).rejects.toThrow(
      new MayflyError('address_taken'),
    )
    // As a build before, or a node without the setting, does it.
    const { store, clock } = services
    const claims = createClaims({
      store: store.addresses,
      clock,
      seal: services.seal,
      lifetimes: services.lifetimes,
      reserved: [],
    })
    const { row } = (await claims.claimFirst(names, { lifetime: 'day' })).open
    expect(await warning()).toMatch(/^MAYFLY_OPERATOR_EMAIL is "Anna@mayfly\.test", .*postmaster@mayfly\.test/)
    expect(await operatorAddressWarning(loadConfig({}), services)).toBeUndefined()
    expect((await services.receive.accept('anna@mayfly.test')).row?.id).toBe(row.id)
    expect(await services.withdrawals.withdraw('anna@mayfly.test', 365 * DAY)).toEqual({
      wasThere: true,
      heldUntil: services.time.now + 30 * DAY,
    })
    expect(await services.receive.accept('anna@mayfly.test')).toMatchObject({ operator: { share: 'postmaster' } })
    expect(await warning()).toMatch(/^MAYFLY_OPERATOR_EMAIL/)
    services.time.now += 30 * DAY
    expect(await warning()).toBeUndefined()
    await services.close()
  })
})
