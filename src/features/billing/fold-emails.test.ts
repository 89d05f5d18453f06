import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BillingFixture, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import { foldEmails } from './fold-emails.ts'
import { newSubscription } from './subscriber.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: BillingFixture
  beforeAll(async () => {
    fixture = await openBillingFixture(engine)
  })
  afterAll(() => fixture.close())

  /** Stores a subscription as older versions did, which only lower-cased email addresses. */
  async function storeOld(email: string): Promise<string> {
    const emailKey = fixture.wrap.hash('email', email.toLowerCase())
    const sealedEmail = fixture.wrap.wrap('email', email, emailKey)
    return (await fixture.store.subscriptions.ensure(newSubscription({ emailKey, sealedEmail, language: 'en' }, 1))).id
  }
  const emailOf = async (id: string) => {
    const { sealedEmail, emailKey } = (await fixture.store.subscriptions.find(id))!
    return fixture.wrap.unwrap('email', sealedEmail, emailKey)
  }

  test('folds stored email addresses once, and keeps an account whose folded address is taken', async () => {
    const [plain, kelvin, parted, first, second] = [
      await storeOld('Ann@example.com'),
      await storeOld('\u212Aate@example.com'),
      await storeOld('e\u0301va@example.com'),
      await storeOld('\u00FCwe@example.com'),
      await storeOld('u\u0308we@example.com'),
    ]
    const { grants: _, ...services } = fixture
    const warnings: unknown[] = []
    const logger = { ...services.logger, warn: (fields: unknown) => warnings.push(fields) }
    await foldEmails({ ...services, logger: logger as never })

    expect(await emailOf(plain)).toBe('Ann@example.com')
    expect(await emailOf(kelvin)).toBe('Kate@example.com')
    expect((await fixture.subscription('kate@example.com'))?.id).toBe(kelvin)
    expect((await fixture.subscription('\u00E9va@example.com'))?.id).toBe(parted)
    expect((await fixture.subscription('\u00FCwe@example.com'))?.id).toBe(first)
    expect(await emailOf(second)).toBe('u\u0308we@example.com')
    expect(warnings).toEqual([{ id: second }])

    const later = await storeOld('o\u0308zil@example.com')
    await foldEmails({ ...services, logger: logger as never })
    expect(await emailOf(later)).toBe('o\u0308zil@example.com')
  })
})
