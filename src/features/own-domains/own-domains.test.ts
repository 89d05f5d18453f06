import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Subscription } from '#core/billing/subscription.ts'
import { DAY } from '#core/time.ts'
import { newAddress } from '#store/suite/fixtures.ts'
import { codeOf } from '#test/support/codes.ts'
import { HOST, MAX, openOwnDomainFixture, type OwnDomainFixture } from '#test/support/fixtures/own-domains.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('own domains, on %s', (engine) => {
  let own: OwnDomainFixture
  let ada: Subscription
  let ben: Subscription
  let domain: string
  let count = 0
  beforeAll(async () => {
    own = await openOwnDomainFixture({ engine })
  })
  afterAll(() => own.close())
  beforeEach(async () => {
    domain = `own${count++}.example`
    ;[ada, ben] = await Promise.all([own.subscribe(), own.subscribe()])
  })
  const state = async (subscription: Subscription, name = domain) =>
    (await own.list(subscription)).find((each) => each.name === name)?.state
  const found = ({ records }: { records: { found: boolean }[] }) => records.map((each) => each.found)

  describe('adding', () => {
    test.each([
      [' Example.COM. ', 'example.com'],
      ['bücher.example', 'xn--bcher-kva.example'],
      ['例子.公司', 'xn--fsqu00a.xn--55qx5d'],
      ['a.b.c.example', 'a.b.c.example'],
      ['mayfly.test.example', 'mayfly.test.example'],
      ['dayfly.example', 'dayfly.example'],
      [`${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(62)}`, expect.any(String)],
    ])('accepts %s', async (input, name) => {
      expect(await own.add(ada, input)).toMatchObject({ name, state: 'pending', checkedAt: null, catchAll: null })
      expect((await own.list(ada)).map((each) => each.name)).toEqual([name])
    })

    test.each([
      '',
      'com',
      'example..com',
      '-a.example',
      'a_b.example',
      'two words.example',
      'me@own.example',
      'https://own.example',
      'own.example/path',
      '*.own.example',
      '192.0.2.1',
      '0x7f.1',
      '[2001:db8::1]',
      'own.example.123',
      'mayfly.test',
      'MAYFLY.test.',
      'mail.mayfly.test',
      'dayfly.test',
      `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(63)}`,
    ])('rejects %s', async (input) => {
      expect(await codeOf(own.add(ada, input))).toBe('domain_invalid')
      expect(await own.list(ada)).toEqual([])
    })

    test('rejects the domain of the email address of the account, where links to sign in would no longer arrive', async () => {
      const emailAt = async (name: string) => {
        const [emailKey, email] = [crypto.randomUUID().slice(0, 22), `Ada+x@${name}`]
        const sealedEmail = own.wrap.wrap('email', email, emailKey)
        await own.store.subscriptions.setEmail(ada.id, { emailKey, sealedEmail })
        return (await own.store.subscriptions.find(ada.id))!
      }
      const subscription = await emailAt(`BÜCHER-${domain}`)
      const { name } = await own.add(ben, `bücher-${domain}`)
      for (const input of [`bücher-${domain}`, `${name}.`])
        expect(await codeOf(own.add(subscription, input))).toBe('domain_of_account')
      expect(await own.list(ada)).toEqual([])
      expect(await codeOf(own.add(subscription, `mail.${name}`))).toBe('fine')
    })

    test('limits the number of domains, and does not count one twice', async () => {
      const names = Array.from({ length: MAX }, (_, i) => `${i}.${domain}`)
      for (const name of names) await own.add(ada, name)
      expect(await codeOf(own.add(ada, domain))).toBe('domains_full')
      expect((await own.add(ada, `0.${domain}`)).name).toBe(`0.${domain}`)
      expect((await own.list(ada)).map(({ name }) => name)).toEqual(names)
      await own.remove(ada, `0.${domain}`)
      expect(await codeOf(own.add(ada, domain))).toBe('fine')
    })

    test('requires Premium, like a check; existing domains are listed and can be removed', async () => {
      await own.add(ada, domain)
      const ended = { ...ada, paidUntil: own.time.now }
      expect(await codeOf(own.add(ended, `a.${domain}`))).toBe('premium_required')
      expect(await codeOf(own.check(ended, domain))).toBe('premium_required')
      expect(await own.list(ended)).toHaveLength(1)
      expect(await codeOf(own.remove(ended, domain))).toBe('fine')
      expect(await own.list(ended)).toEqual([])
    })

    test('returns the records, with a constant text per subscriber and domain', async () => {
      const { records } = await own.add(ada, domain)
      expect(records).toEqual([
        {
          type: 'TXT',
          name: `_mayfly.${domain}`,
          value: expect.stringMatching(/^mayfly-verification=[\w-]{22}$/),
          priority: null,
          found: false,
        },
        { type: 'MX', name: domain, value: HOST, priority: 10, found: false },
      ])
      await own.remove(ada, domain)
      expect((await own.add(ada, domain)).records).toEqual(records)
      const others = [await own.add(ben, domain), await own.add(ada, `a.${domain}`)]
      expect(new Set([records[0]?.value, ...others.map((each) => each.records[0]?.value)]).size).toBe(3)
    })
  })

  describe('checking', () => {
    test('reports which records exist, and requires both', async () => {
      const { txt } = own.proofOf(domain, ada.id)
      await own.add(ada, domain)
      expect(await own.check(ada, domain)).toMatchObject({ state: 'pending', checkedAt: own.time.now })
      own.zone[`_mayfly.${domain} TXT`] = ['v=spf1 -all', txt.value]
      expect(found(await own.check(ada, domain))).toEqual([true, false])
      own.zone[`${domain} MX`] = ['10 mx.elsewhere.example']
      expect(await own.check(ada, domain)).toMatchObject({ state: 'pending' })
      expect(found((await own.list(ada))[0]!)).toEqual([true, false])
      own.zone[`${domain} MX`] = ['10 mx.elsewhere.example', `20 ${HOST.toUpperCase()}`]
      const verified = await own.check(ada, domain.toUpperCase())
      expect(verified).toMatchObject({ state: 'verified' })
      expect(found(verified)).toEqual([true, true])
      expect(await own.list(ada)).toEqual([verified])
    })

    test.each([
      ['in quotation marks', (value: string) => `"${value}"`, true],
      ['with spaces', (value: string) => ` ${value} `, true],
      ['in capitals', (value: string) => value.toUpperCase(), false],
      ['with a suffix', (value: string) => `${value}x`, false],
      ['of another subscriber', () => own.proofOf(domain, ben.id).txt.value, false],
      ['of another domain', () => own.proofOf(`a.${domain}`, ada.id).txt.value, false],
    ])('compares a text %s', async (_, write, counts) => {
      await own.add(ada, domain)
      own.zone[`_mayfly.${domain} TXT`] = [write(own.proofOf(domain, ada.id).txt.value)]
      own.zone[`${domain} MX`] = ['10 mayfly.test']
      expect((await own.check(ada, domain)).state).toBe(counts ? 'verified' : 'pending')
    })

    test.each([`_mayfly.DOMAIN TXT`, 'DOMAIN MX'])('changes nothing if %s does not respond', async (name) => {
      const verified = await own.own(ada, domain)
      own.zone[`_mayfly.${domain} TXT`] = own.zone[`${domain} MX`] = []
      own.zone[name.replace('DOMAIN', domain)] = 'servfail'
      expect(await codeOf(own.check(ada, domain))).toBe('dns_unavailable')
      expect(await own.list(ada)).toEqual([verified])
    })

    test('throws domain_not_found for unknown domains and those of others', async () => {
      await own.add(ben, domain)
      for (const name of [domain, 'nowhere.example', '', 'not a domain']) {
        expect(await codeOf(own.check(ada, name))).toBe('domain_not_found')
        expect(await codeOf(own.remove(ada, name))).toBe('domain_not_found')
        expect(await codeOf(own.setCatchAll(ada, name, null))).toBe('domain_not_found')
      }
      expect(await state(ben)).toBe('pending')
    })
  })

  describe('the owner', () => {
    test('stays while the DNS still has its record', async () => {
      await own.own(ada, domain)
      await own.add(ben, domain)
      await own.point(domain, ada, ben)
      const before = [await own.list(ada), await own.list(ben)]
      expect(await codeOf(own.check(ben, domain))).toBe('domain_owned')
      expect([await own.list(ada), await own.list(ben)]).toEqual(before)
      expect(await own.recipient(domain)).toMatchObject({ subscriptionId: ada.id })
    })

    test('changes at once when the DNS has the record of another subscriber instead', async () => {
      await own.own(ada, domain)
      expect(await own.recipient(domain)).toMatchObject({ subscriptionId: ada.id })
      await own.own(ben, domain)
      expect([await state(ada), await state(ben)]).toEqual(['pending', 'verified'])
      expect(await own.recipient(domain)).toEqual({ subscriptionId: ben.id, catchAll: null })
      expect((await own.check(ada, domain)).state).toBe('pending')
      expect(await state(ben)).toBe('verified')
    })

    test('is one of two subscribers who prove the domain at the same time', async () => {
      for (let i = 0; i < 10; i++) {
        const name = `${i}.${domain}`
        const both = [await own.subscribe(), await own.subscribe()]
        for (const each of both) await own.add(each, name)
        await own.point(name, ...both)
        const outcomes = await Promise.all(both.map((each) => codeOf(own.check(each, name))))
        expect(outcomes.toSorted()).toEqual(['domain_owned', 'fine'].toSorted())
        const winner = both[outcomes.indexOf('fine')]!
        expect(await own.recipient(name)).toMatchObject({ subscriptionId: winner.id })
      }
    })

    test('is one of two subscribers who prove a domain that the former owner no longer does', async () => {
      for (let i = 0; i < 10; i++) {
        const name = `${i}.${domain}`
        const [first, ...both] = [await own.subscribe(), await own.subscribe(), await own.subscribe()]
        await own.own(first!, name)
        for (const each of both) await own.add(each, name)
        await own.point(name, ...both)
        const outcomes = await Promise.all(both.map((each) => codeOf(own.check(each, name))))
        expect(outcomes.toSorted()).toEqual(['domain_owned', 'fine'].toSorted())
        expect(await state(first!, name)).toBe('pending')
      }
    })

    test('stays if the other subscriber removed the domain meanwhile', async () => {
      await own.own(ada, domain)
      const seen = { state: 'verified', checkedAt: 1, failingSince: null, txtFound: true, mxFound: true } as const
      expect(await own.store.ownDomains.recordCheck(ben.id, domain, seen, ada.id)).toBe(false)
      expect(await state(ada)).toBe('verified')
    })

    test('receives nothing after a lapse, may be replaced, and gets the remaining domains back after a payment', async () => {
      const other = `other.${domain}`
      await own.own(ada, domain)
      await own.own(ada, other)
      await own.lapse(ada)
      own.forget(domain)
      expect(await own.recipient(domain)).toBeUndefined()
      await own.add(ben, domain)
      await own.point(domain, ada, ben)
      expect((await own.check(ben, domain)).state).toBe('verified')
      await own.lapse(ada, false)
      expect(await own.recipient(domain)).toMatchObject({ subscriptionId: ben.id })
      expect(await own.recipient(other)).toMatchObject({ subscriptionId: ada.id })
    })
  })

  describe('the catch-all', () => {
    test('must be an existing address of the subscriber', async () => {
      await own.own(ada, domain)
      const [mine, under, theirs] = [
        await own.keep(ada, `mine${count}@mayfly.test`),
        await own.keep(ada, `me@${domain}`),
        await own.keep(ben, `theirs${count}@mayfly.test`),
      ]
      for (const bad of [theirs, 'nobody', '']) {
        expect(await codeOf(own.setCatchAll(ada, domain, bad))).toBe('address_invalid')
      }
      for (const id of [mine, under]) {
        expect(await own.setCatchAll(ada, domain, id)).toMatchObject({ state: 'verified', catchAll: id })
        expect(await own.recipient(domain)).toEqual({ subscriptionId: ada.id, catchAll: id })
        expect((await own.list(ada))[0]?.catchAll).toBe(id)
      }
      await own.store.addresses.remove(under, own.time.now + DAY)
      expect((await own.list(ada))[0]?.catchAll).toBe(null)
      expect(await codeOf(own.setCatchAll(ada, domain, under))).toBe('address_invalid')
      expect(await own.setCatchAll(ada, domain, null)).toMatchObject({ catchAll: null })
      expect(await own.recipient(domain)).toEqual({ subscriptionId: ada.id, catchAll: null })
    })
  })

  test('deletes only the addresses under a removed domain, which is then free for others', async () => {
    await own.own(ada, domain)
    const elsewhere = [await own.keep(ada, `me${count}@mayfly.test`), await own.keep(ada, `me@sub.${domain}`)]
    const quota = { subscriptionId: ada.id, max: 9 }
    const ofKeys = [newAddress({ quota: { ...quota, ownDomain: domain } }), newAddress({ quota })]
    for (const each of ofKeys) expect(await own.store.addresses.claim(each, own.time.now)).toBe(true)
    const under = [await own.keep(ada, `me@${domain}`), await own.keep(ada, `you@${domain}`), ofKeys[0]!.id]
    expect(await own.recipient(domain)).toBeDefined()
    const notified: string[] = []
    for (const id of [...under, ...elsewhere]) own.bus.subscribe(id, () => notified.push(id))
    await own.remove(ada, domain)
    await expect.poll(() => notified.toSorted()).toEqual(under.toSorted())
    const { now } = own.time
    for (const id of under) expect(await own.store.addresses.find(id, now)).toBeUndefined()
    for (const id of [...elsewhere, ofKeys[1]!.id]) expect(await own.store.addresses.find(id, now)).toBeDefined()
    const kept = await own.store.keptAddresses.list(ada.id, now)
    expect(kept.map(({ addressId }) => addressId).toSorted()).toEqual(elsewhere.toSorted())
    expect(await own.recipient(domain)).toBeUndefined()
    expect((await own.own(ben, domain)).state).toBe('verified')
  })

  test('frees the names under a removed domain, which the subscriber may add again', async () => {
    for (let i = 0; i < 2; i++) {
      await own.own(ada, domain)
      await own.keep(ada, `me@${domain}`)
      await own.remove(ada, domain)
      expect(await own.list(ada)).toEqual([])
      expect(await own.store.keptAddresses.list(ada.id, own.time.now)).toEqual([])
    }
  })
})
