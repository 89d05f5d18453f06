import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR, DAY } from '#core/time.ts'
import { codeOf } from '#test/support/codes.ts'
import { type ForwardingFixture, openForwardingFixture } from '#test/support/fixtures/forwarding.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('the limits of confirmation emails, on %s', (engine) => {
  let fixture: ForwardingFixture | undefined
  beforeEach(async () => {
    await fixture?.close()
    const limits = { consentEmailsPerDomainPerDay: 5, consentEmails: { perHour: 4, perDay: 7 } }
    const env = { MAYFLY_FORWARD_ASKS_PER_DOMAIN_PER_HOUR: '2' }
    fixture = await openForwardingFixture({ engine, env, overrides: { limits } })
  })
  afterAll(() => fixture?.close())

  let count = 0
  const ask = async (domain: string, local = `somebody${++count}`) =>
    codeOf(fixture!.forwardings.ask(await fixture!.open(), `${local}@${domain}`, 'en'))

  test('apply to one domain per hour and per day, in any spelling', async () => {
    for (const domain of ['real.example', 'REAL.example']) expect(await ask(domain)).toBe('fine')
    for (const domain of ['real.example', 'Real.Example']) expect(await ask(domain)).toBe('too_many_requests')
    expect(await ask('other.example')).toBe('fine')
    fixture!.time.now += HOUR
    for (let i = 0; i < 2; i++) expect(await ask('real.example')).toBe('fine')
    fixture!.time.now += HOUR
    expect(await ask('real.example')).toBe('fine')
    expect(await ask('real.example')).toBe('too_many_requests')
    fixture!.time.now += DAY
    expect(await ask('real.example')).toBe('fine')
  })

  test('apply to all domains per hour and per day', async () => {
    for (let i = 0; i < 4; i++) expect(await ask(`domain${i}.example`)).toBe('fine')
    expect(await ask('domain5.example')).toBe('too_many_requests')
    fixture!.time.now += HOUR
    for (let i = 0; i < 3; i++) expect(await ask(`domain${i}.example`)).toBe('fine')
    fixture!.time.now += HOUR
    expect(await ask('domain7.example')).toBe('too_many_requests')
    expect(await fixture!.mailsTo('somebody1@domain0.example')).toBeLessThanOrEqual(1)
  })

  test('do not count rejected requests', async () => {
    const open = await fixture!.open()
    const again = () => codeOf(fixture!.forwardings.ask(open, 'ann@real.example', 'en'))
    expect(await again()).toBe('fine')
    for (let i = 0; i < 5; i++) expect(await again()).toBe('forwarding_exists')
    for (let i = 0; i < 5; i++)
      expect(await codeOf(fixture!.forwardings.ask(open, 'bob@real.example', 'en'))).toBe('forwardings_full')
    expect(await ask('real.example')).toBe('fine')
    expect(await ask('real.example')).toBe('too_many_requests')
  })

  test('hold for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('real.example')))
    expect(answers.filter((answer) => answer === 'fine')).toHaveLength(2)
  })
})
