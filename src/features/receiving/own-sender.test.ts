import { expect, test } from 'vitest'
import { MayflyError, smtpReply } from '#core/errors.ts'
import { openServices } from '#test/support/fixtures/services.ts'

test.each([
  ['hello@mayfly.test', 'hello@mayfly.test'],
  ['Mayfly+Login@Mayfly.test', 'mayfly+login@mayfly.test'],
  ['hello@bücher.example', 'hello@xn--bcher-kva.example'],
])('nobody can have the configured sender %s, and its reports are discarded', async (sender, recipient) => {
  const services = await openServices({
    env: { MAYFLY_OUTBOUND_FROM: sender, MAYFLY_DOMAINS: 'mayfly.test,bücher.example' },
  })
  const envelope = { helo: 'x', clientAddress: '192.0.2.1', tls: false, receivedAt: 0, mailFrom: '' }
  const accept = (mailFrom: string) =>
    services.receive.accept(recipient, { attempt: { envelope: { ...envelope, mailFrom }, size: null } })
  const [login = '', domain = ''] = recipient.replace(/\+.*@/, '@').split('@')
  await expect(services.addresses.create({ login, domain })).rejects.toThrow(new MayflyError('login_reserved'))
  await services.receive.deliver(envelope, [await accept('')], Buffer.from('Subject: x\r\n\r\n'))
  expect((await services.store.stats(services.time.now)).messages).toBe(0)
  expect(smtpReply(await accept('a@sender.example').catch((error: unknown) => error))).toContain('550 5.2.1')
  await services.close()
})

test('if the sender is postmaster, its reports are in the mailbox of the operator', async () => {
  const services = await openServices({ env: { MAYFLY_OUTBOUND_FROM: 'postmaster@mayfly.test' } })
  expect(await services.receive.accept('postmaster@mayfly.test')).toMatchObject({ row: {} })
  await services.close()
})
