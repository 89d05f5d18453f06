import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newSecret } from '#core/mailbox/secret.ts'
import type { WrappedColumn } from '#core/operating/wraps.ts'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { deriveKeys } from '#mail/sealing/keys.ts'
import { addressPlace } from '#mail/sealing/place.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { openAccountFixture } from '#test/support/fixtures/account.ts'
import { type BillingFixture, openBillingFixture } from '#test/support/fixtures/billing.ts'

const EMAIL = 'zoe@example.com'

let fixture: BillingFixture
beforeEach(async () => {
  fixture = await openBillingFixture()
})
afterEach(() => fixture.close())

/** Flips one bit of a column in the rows that `of` accepts. */
async function damage(
  column: WrappedColumn,
  of: (row: string) => boolean = () => true,
  { wraps }: Pick<Store, 'wraps'> = fixture.store,
): Promise<void> {
  for (const each of (await wraps.list(column, 2, 100)).filter(({ row }) => of(row))) {
    const sealed = Buffer.from(each.sealed)
    sealed.writeUInt8(sealed.readUInt8(20) ^ 1, 20)
    expect(await wraps.replace(column, each, sealed)).toBe(true)
  }
}

async function subscriber() {
  await fixture.buy('year', EMAIL)
  const { payments: _, ...subscription } = (await fixture.subscription(EMAIL))!
  return { ...subscription, confirmed: true }
}

test('lists show a damaged value as empty, and all other rows', async () => {
  const subscription = await subscriber()
  const [one, two] = [
    await fixture.keptAddresses.create(subscription, { label: 'one' }),
    await fixture.keptAddresses.create(subscription, { label: 'two' }),
  ]
  const { id } = await fixture.apiKeys.create(subscription, 'key')
  await fixture.apiKeys.create(subscription, 'other')
  const ofOne = (row: string): boolean => row.endsWith(one.open.row.id)
  for (const column of ['name', 'label', 'secret'] as const) await damage(`kept_addresses.sealed_${column}`, ofOne)
  await damage('api_keys.sealed_label', (row) => row === id)

  const kept = await fixture.keptAddresses.listAndRestore(subscription)
  expect(kept.map(({ address, label }) => [address, label]).toSorted()).toEqual([
    ['', ''],
    [two.open.address, 'two'],
  ])
  await expect(fixture.keptAddresses.open(subscription, one.open.row.id)).rejects.toMatchObject({
    code: 'address_invalid',
  })
  expect((await fixture.keptAddresses.open(subscription, two.open.row.id)).open.address).toBe(two.open.address)
  expect((await fixture.apiKeys.list(subscription)).map(({ label }) => label).toSorted()).toEqual(['', 'other'])
  // A damaged address can be removed. A damaged one that has expired is not restored.
  await fixture.store.addresses.remove(one.open.row.id, fixture.time.now + DAY)
  expect(await fixture.keptAddresses.listAndRestore(subscription)).toHaveLength(2)
  await fixture.keptAddresses.remove(subscription, one.open.row.id)
  expect(await fixture.keptAddresses.listAndRestore(subscription)).toHaveLength(1)
})

test('an account with a damaged email address can be seen, exported and paid for', async () => {
  const subscription = await subscriber()
  await fixture.keptAddresses.create(subscription, {})
  await damage('subscriptions.sealed_email')
  await damage('kept_addresses.sealed_name')
  const damaged = {
    ...subscription,
    sealedEmail: (await fixture.store.subscriptions.find(subscription.id))!.sealedEmail,
  }
  const signedIn = { subscription: damaged, sessionId: 'none', active: true }
  expect((await fixture.account.view(signedIn)).email).toBe('')
  const chunks = []
  for await (const chunk of fixture.exportAccount(signedIn)) chunks.push(chunk)
  expect(Buffer.concat(chunks).length).toBeGreaterThan(500)
  await fixture.grants.grant(EMAIL, DAY, 'en')
  expect((await fixture.subscription(EMAIL))!.payments).toHaveLength(2)
  const listed = []
  for await (const each of fixture.subscriptions.list()) listed.push(each)
  expect(listed).toMatchObject([{ id: subscription.id, email: '' }])
})

test('a subscriber whose stored email address is damaged signs in by the one that is typed', async () => {
  const cases = await openAccountFixture()
  try {
    await cases.subscribe('Ann@example.com')
    await damage('subscriptions.sealed_email', () => true, cases.store)
    cases.signIn.ask({ email: 'ANN@example.com', language: 'en', browser: 'browser' })
    await cases.signIn.settled()
    await cases.sendEmails()
    const { link } = await cases.outbox.next('ann@example.com', 'sign-in')
    const token = link.searchParams.get('link')!
    expect(await cases.signIn.view(token, 'browser')).toEqual({ state: 'here', token, of: '' })
    expect(await cases.signIn.open({ token, browser: 'browser', userAgent: 'Firefox/140.0' })).toBeTruthy()
  } finally {
    await cases.close()
  }
})

test('a subscription with a damaged email address does not delay the ending of others', async () => {
  for (const email of ['ann@example.com', EMAIL, 'yan@example.com']) await fixture.grants.grant(email, 31 * DAY, 'en')
  const zoe = (await fixture.subscription(EMAIL))!
  await damage('subscriptions.sealed_email', (row) => row === zoe.emailKey)
  fixture.time.now += 400 * DAY
  await fixture.endings.run()
  const noticed = await Promise.all(
    ['ann@example.com', 'yan@example.com'].map(async (email) => (await fixture.subscription(email))!.noticeAt),
  )
  expect(noticed).toEqual([fixture.time.now, fixture.time.now])
})

test('opens an address with a damaged name as one without a name, and one with damaged earlier keys', async () => {
  const { open } = await fixture.addresses.create({})
  const { row, address } = open
  const damagedKeys = randomBytes(100)
  /** Replaces the secret and returns the new one. */
  async function renew(previousSecretId: string, sealName: (publicKey: Uint8Array) => Uint8Array) {
    const secret = newSecret()
    const { id: secretId, publicKey } = deriveKeys(secret)!
    const sealed = { sealedName: sealName(publicKey), sealedEarlierKeys: damagedKeys, sealedSecret: null }
    const change = { id: row.id, previousSecretId, secretId, publicKey, ...sealed }
    expect(await fixture.store.addresses.replaceSecret(change, fixture.time.now)).toBe(true)
    return { secret, secretId }
  }
  const { secret, secretId } = await renew(row.secretId, (publicKey) =>
    createSeal()(publicKey, addressPlace('name', row), Buffer.from(address)),
  )
  expect((await fixture.addresses.open(secret))?.address).toBe(address)
  const damaged = await renew(secretId, () => randomBytes(80))
  expect((await fixture.addresses.open(damaged.secret))?.address).toBe('')
})
