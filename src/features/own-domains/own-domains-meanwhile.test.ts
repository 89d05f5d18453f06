import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Subscription } from '#core/billing/subscription.ts'
import { DAY } from '#core/time.ts'
import { newAddress } from '#store/suite/fixtures.ts'
import { newKeptAddress } from '#store/suite/premium-fixtures.ts'
import { codeOf } from '#test/support/codes.ts'
import { openOwnDomainFixture, type OwnDomainFixture } from '#test/support/fixtures/own-domains.ts'

let own: OwnDomainFixture
let ada: Subscription
let ben: Subscription
const domain = 'own.example'
beforeAll(async () => {
  own = await openOwnDomainFixture()
})
afterAll(() => own.close())
beforeEach(async () => {
  ;[ada, ben] = await Promise.all([own.subscribe(), own.subscribe()])
})

test('does not check the domain of the email address either, if it was added before', async () => {
  await own.add(ada, domain)
  const [emailKey, email] = [crypto.randomUUID().slice(0, 22), `ada@${domain}`]
  await own.store.subscriptions.setEmail(ada.id, {
    emailKey,
    sealedEmail: own.wrap.wrap('email', email, emailKey),
  })
  const subscription = (await own.store.subscriptions.find(ada.id))!
  expect(await codeOf(own.check(subscription, domain))).toBe('domain_of_account')
  expect(await own.list(ada)).toMatchObject([{ state: 'pending' }])
})

test('shows that the domains of a lapsed subscription receive nothing', async () => {
  await own.own(ada, 'stopped.example')
  await own.add(ada, 'claimed.example')
  await own.lapse(ada)
  const states = async () => {
    const now = (await own.store.subscriptions.find(ada.id))!
    return (await own.list(now)).map(({ name, state }) => [name, state]).toSorted()
  }
  expect(await states()).toEqual([
    ['claimed.example', 'pending'],
    ['stopped.example', 'stopped'],
  ])
  await own.lapse(ada, false)
  expect((await states())[1]).toEqual(['stopped.example', 'verified'])
})

test('leaves an address of an API key that another subscriber keeps while its domain is removed', async () => {
  await own.own(ada, domain)
  const address = newAddress({
    quota: { subscriptionId: ada.id, max: 9, ownDomain: domain },
    expiresAt: own.time.now + DAY,
  })
  const { addresses, keptAddresses } = own.store
  await addresses.claim(address, own.time.now)
  const ofKeys = vi.spyOn(addresses, 'ofKeys').mockImplementation(async () => {
    await keptAddresses.add(newKeptAddress(ben.id, address), 9, own.time.now)
    return [address.id]
  })
  await own.remove(ada, domain)
  ofKeys.mockRestore()
  expect(await addresses.find(address.id, own.time.now)).toMatchObject({ subscriptionId: ben.id })
})
