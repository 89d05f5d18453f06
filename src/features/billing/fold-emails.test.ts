import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BillingFixture, openBillingFixture } from '#test/support/fixtures/billing-program.ts'
import { ENGINES } from '#test/support/fixtures/use-cases.ts'
import { foldEmails } from './fold-emails.ts'
import { newSubscription } from './subscriber.ts'

describe.each(ENGINES)('with %s', (engine) => {
  let fixture: BillingFixture
  beforeAll(async () => {
    fixture = await openBillingFixture(engine)
  })
  afterAll(() => fixture.close())

  /** As it was written down when names were no more than lower case. */
  async function old(email: string): Promise<string> {
    const emailKey = fixture.wrap.hash('email', email.toLowerCase())
    const sealedEmail = fixture.wrap.wrap('email', email)
    return (await fixture.store.subscriptions.ensure(newSubscription({ emailKey, sealedEmail, language: 'en' }, 1))).id
  }
  const emailOf = async (id: string) => {
    const { sealedEmail, emailKey } = (await fixture.store.subscriptions.find(id))!
    return fixture.wrap.unwrap('email', sealedEmail, emailKey)
  }

  test('emails from before are folded once, and nobody loses an account', async () => {
    const [plain, kelvin, parted, first, second] = [
      await old('Ann@example.com'),
      await old('\u212Aate@example.com'),
      await old('e\u0301va@example.com'),
      await old('\u00FCwe@example.com'),
      await old('u\u0308we@example.com'),
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

    const later = await old('o\u0308zil@example.com')
    await foldEmails({ ...services, logger: logger as never })
    expect(await emailOf(later)).toBe('o\u0308zil@example.com')
  })
})
