import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { LimitReached } from '#core/errors.ts'
import { HOUR, DAY } from '#core/time.ts'
import { codeOf } from '#test/support/codes.ts'
import { type ForwardingFixture, openForwardingFixture } from '#test/support/fixtures/forwarding.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('the limits of confirmation emails, on %s', (engine) => {
  let fixture: ForwardingFixture | undefined
  async function start({ perDomainPerDay = 5, env = {} } = {}): Promise<void> {
    await fixture?.close()
    const limits = { consentEmailsPerDomainPerDay: perDomainPerDay, consentEmails: { perHour: 4, perDay: 7 } }
    const all = { MAYFLY_FORWARD_ASKS_PER_DOMAIN_PER_HOUR: '2', ...env }
    fixture = await openForwardingFixture({ engine, env: all, overrides: { limits } })
    fixture.time.now = Math.ceil(fixture.time.now / HOUR) * HOUR
  }
  beforeEach(() => start())
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

  test('count a destination only as often as it may get emails', async () => {
    await start({ env: { MAYFLY_FORWARD_ASKS_PER_DAY: '1' } })
    const spellings = ['ann', 'Ann', 'ann+tag']
    for (const local of [...spellings, ...spellings]) expect(await ask('real.example', local)).toBe('fine')
    expect(await ask('real.example')).toBe('fine')
    expect(await ask('real.example')).toBe('too_many_requests')
    // Otherwise the response would reveal that the destination was asked before.
    expect(await ask('real.example', 'ann')).toBe('too_many_requests')
    expect(await fixture!.mailsTo('ann@real.example')).toBe(1)
  })

  test('count a request only if none of them is reached', async () => {
    await start({ perDomainPerDay: 2 })
    for (let i = 0; i < 4; i++) expect(await ask(`domain${i}.example`)).toBe('fine')
    for (let i = 0; i < 9; i++) expect(await ask('real.example', 'ann')).toBe('too_many_requests')
    fixture!.time.now += HOUR
    for (let i = 0; i < 2; i++) expect(await ask('real.example', 'ann')).toBe('fine')
    for (let i = 0; i < 9; i++) expect(await ask('real.example')).toBe('too_many_requests')
    expect(await ask('other.example')).toBe('fine')
  })

  test('say when the next request may be counted', async () => {
    const { time } = fixture!
    const begin = time.now
    const until = async (domain: string): Promise<number> =>
      fixture!.forwardings.ask(await fixture!.open(), `x${++count}@${domain}`, 'en').then(
        () => 0,
        (error: LimitReached) => error.until - begin,
      )
    for (let i = 0; i < 2; i++) expect(await until('real.example')).toBe(0)
    time.now += HOUR / 4
    expect(await until('real.example')).toBe(HOUR)
    for (let i = 0; i < 2; i++) expect(await until('other.example')).toBe(0)
    expect(await until('third.example')).toBe(HOUR)
    time.now = begin + HOUR
    for (let i = 0; i < 2; i++) expect(await until('real.example')).toBe(0)
    time.now = begin + 2 * HOUR
    expect(await until('real.example')).toBe(0)
    expect(await until('real.example')).toBe(DAY)
    expect(await until('third.example')).toBe(DAY)
    time.now = begin + DAY
    for (let i = 0; i < 2; i++) expect(await until('real.example')).toBe(0)
    expect(await until('real.example')).toBe(DAY + HOUR)
  })

  test('hold for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('real.example')))
    expect(answers.filter((answer) => answer === 'fine')).toHaveLength(2)
  })
})
