import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newSecret } from '#core/mailbox/secret.ts'
import { DAY } from '#core/time.ts'
import { deriveKeys } from '#mail/sealing/keys.ts'
import { codeOf } from '#test/support/codes.ts'
import { type KeptFixture, openKeptFixture } from '#test/support/fixtures/kept-addresses.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('an address that the operator withdraws, on %s', (engine) => {
  let fixture: KeptFixture
  beforeAll(async () => {
    fixture = await openKeptFixture({ engine })
  })
  afterAll(() => fixture.close())
  const withdraw = (address: string) => fixture.withdrawals.withdraw(address, 90 * DAY)
  const listed = async (ann: Parameters<KeptFixture['kept']['listAndRestore']>[0]) =>
    (await fixture.kept.listAndRestore(ann)).map(({ address, alive }) => [address, alive])

  test('leaves the list of its subscriber, whose browsers notice', async () => {
    const ann = await fixture.subscribe()
    const { secret, open } = await fixture.kept.create(ann, { login: 'kept-one' })
    const listener = vi.fn<() => void>()
    const stop = fixture.kept.watch(ann, [], listener)
    expect(await withdraw(open.address)).toMatchObject({ wasThere: true })
    await vi.waitFor(() => expect(listener).toHaveBeenCalled())
    stop()
    expect(await listed(ann)).toEqual([])
    expect(await fixture.addresses.open(secret)).toBeUndefined()
    expect(await codeOf(fixture.kept.create(ann, { login: 'kept-one', previousSecret: secret }))).toBe('address_taken')
  })

  test('is not restored after it expired with the subscription', async () => {
    const ann = await fixture.subscribe()
    const { open } = await fixture.kept.create(ann, { login: 'kept-two' })
    const lapsed = await fixture.lapse(ann)
    fixture.time.now += DAY
    await fixture.sweep.run()
    expect(await withdraw(open.address)).toMatchObject({ wasThere: false })
    const back = await fixture.comeBack(lapsed)
    expect(await listed(back)).toEqual([[open.address, false]])
  })

  test('can be fully private, and its keys do not create it again', async () => {
    const ann = await fixture.subscribe()
    const { id, publicKey } = deriveKeys(newSecret())!
    const request = { login: 'private-one', id, publicKey: Buffer.from(publicKey).toString('base64url') }
    const { address } = await fixture.privateAddresses.create(ann, request)
    expect(await withdraw(address)).toMatchObject({ wasThere: true })
    expect(await codeOf(fixture.privateAddresses.create(ann, request))).toBe('address_taken')
    expect(await listed(ann)).toEqual([])
  })

  test('can be under an own domain', async () => {
    const ann = await fixture.subscribe()
    await fixture.own(ann, 'withdrawn.example')
    const request = { login: 'x', domain: 'withdrawn.example' }
    const { open } = await fixture.kept.create(ann, request)
    expect(await withdraw(`X@Withdrawn.example`)).toMatchObject({ wasThere: true })
    expect(await fixture.addresses.validUntil(open)).toBe(0)
    expect(await codeOf(fixture.kept.create(ann, request))).toBe('address_taken')
    expect(await codeOf(fixture.kept.create(ann, { ...request, login: 'y' }))).toBe('fine')
  })
})
