import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DAY } from '#core/time.ts'
import { codeOf } from '#test/support/codes.ts'
import { type MailboxFixture, openMailboxFixture } from '#test/support/fixtures/mailbox.ts'
import { ENGINES, silentLogger } from '#test/support/fixtures/services.ts'

const TIME = 60 * DAY

describe.each(ENGINES)('withdrawing an address, on %s', (engine) => {
  const info = vi.fn<(fields: object, message: string) => void>()
  let fixture: MailboxFixture
  beforeAll(async () => {
    fixture = await openMailboxFixture({ engine, overrides: { logger: { ...silentLogger, info } } })
  })
  afterAll(() => fixture.close())

  let names = 0
  const created = async (login = `withdrawn${++names}`) => {
    const { secret, open } = await fixture.addresses.create({ login })
    return { login, secret, open, address: open.address }
  }
  const withdraw = (recipient: string, time = TIME) => fixture.withdrawals.withdraw(recipient, time)

  test('deletes the address with its messages, ends its streams and refuses its mail', async () => {
    const { secret, open, address } = await created()
    await fixture.deliver([address])
    const listener = vi.fn<() => void>()
    const stop = fixture.bus.subscribe(open.row.id, listener)
    const result = await withdraw(address)
    await vi.waitFor(() => expect(listener).toHaveBeenCalled())
    stop()
    expect(result).toEqual({ wasThere: true, heldUntil: fixture.time.now + TIME })
    expect(await fixture.addresses.open(secret)).toBeUndefined()
    expect(await fixture.addresses.validUntil(open)).toBe(0)
    expect(await fixture.store.messages.list(open.row.id, { now: fixture.time.now, limit: 10 })).toEqual([])
    expect(await codeOf(fixture.receive.accept(address))).toBe('recipient_unknown')
  })

  test('gives the name to nobody until its time is over, not even to the holder of the secret', async () => {
    const { login, secret, address } = await created()
    await withdraw(address)
    const again = () => codeOf(fixture.addresses.create({ login, previousSecret: secret }))
    const anew = () => codeOf(fixture.addresses.create({ login }))
    expect([await again(), await anew()]).toEqual(['address_taken', 'address_taken'])
    fixture.time.now += TIME - 1
    await fixture.sweep.run()
    expect([await again(), await anew()]).toEqual(['address_taken', 'address_taken'])
    fixture.time.now += 1
    await fixture.addresses.create({ login })
  })

  test('reserves a name that is free, in quarantine, or of an address that expired before the sweep', async () => {
    const [deleted, expired] = [await created(), await created()]
    await fixture.addresses.remove(deleted.open)
    fixture.time.now = expired.open.row.expiresAt
    for (const { login, secret } of [{ login: 'never-used', secret: undefined }, deleted, expired]) {
      expect(await withdraw(`${login}@mayfly.test`, 60 * DAY)).toMatchObject({ wasThere: false })
      fixture.time.now += 59 * DAY
      await fixture.sweep.run()
      expect(await codeOf(fixture.addresses.create({ login, previousSecret: secret }))).toBe('address_taken')
      fixture.time.now += DAY
      await fixture.addresses.create({ login })
    }
  })

  test('sets the time anew when it is repeated', async () => {
    const { login, address } = await created()
    await withdraw(address, 90 * DAY)
    await withdraw(address, 40 * DAY)
    fixture.time.now += 40 * DAY
    await fixture.addresses.create({ login })
  })

  test.each(['alive', 'deleted'])('never shortens the quarantine of an address that is %s', async (state) => {
    const { login, open, address } = await created()
    if (state === 'deleted') await fixture.addresses.remove(open)
    const { heldUntil } = await withdraw(address, DAY)
    expect(heldUntil).toBe(fixture.time.now + 30 * DAY)
    fixture.time.now = heldUntil - 1
    await fixture.sweep.run()
    expect(await codeOf(fixture.addresses.create({ login }))).toBe('address_taken')
    fixture.time.now = heldUntil
    await fixture.addresses.create({ login })
  })

  test('finds the address as the receiver does', async () => {
    for (const write of [
      (login: string) => `${login.toUpperCase()}@MayFly.Test`,
      (login: string) => `"${login}"+x@mayfly.test`.replace('"+x', '+x"'),
      (login: string) => ` ${login}+tag@mayfly.test. `,
    ]) {
      const { login, secret } = await created()
      expect(await withdraw(write(login))).toMatchObject({ wasThere: true })
      expect(await fixture.addresses.open(secret)).toBeUndefined()
    }
  })

  test.each([
    ['ann@elsewhere.example', 'domain_unknown'],
    ['ann', 'domain_unknown'],
    ['@mayfly.test', 'login_invalid'],
    ['abuse@mayfly.test', 'login_reserved'],
    ['Postmaster+x@mayfly.test', 'login_reserved'],
    ['noreply@mayfly.test', 'login_reserved'],
  ])('refuses %s', async (recipient, code) => expect(await codeOf(withdraw(recipient))).toBe(code))

  test('logs no name', async () => {
    const { login, address } = await created()
    info.mockClear()
    await withdraw(address)
    expect(info).toHaveBeenCalledWith({ wasThere: true, days: 60 }, 'the operator withdrew an address')
    expect(JSON.stringify(info.mock.calls)).not.toContain(login)
  })
})
