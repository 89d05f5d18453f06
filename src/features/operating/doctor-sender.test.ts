import { beforeEach, describe, expect, test } from 'vitest'
import { DOMAIN, outsideOfFile, troubles } from '#test/support/dns/outside.ts'
import { allDomains } from './dns-records.ts'

const outside = outsideOfFile()
const SENDER = 'corp.example'
const DKIM = `mayfly._domainkey.${SENDER} TXT`
const service = (from = `Login@${SENDER.toUpperCase()}`, env: Record<string, string> = {}) =>
  outside().service({ MAYFLY_OUTBOUND_FROM: from, MAYFLY_SPF: 'include:relay.example', ...env })

test.each([
  ['corp.example', [DOMAIN, SENDER]],
  ['Corp.Example', [DOMAIN, SENDER]],
  ['bücher.example', [DOMAIN, 'xn--bcher-kva.example']],
  [`mail.${DOMAIN}`, [DOMAIN, `mail.${DOMAIN}`]],
  [DOMAIN, [DOMAIN]],
])('emails from %s need the records of %j', (domain, checked) =>
  expect(allDomains(service(`login@${domain}`).presence)).toEqual(checked),
)

test('nothing is checked at another domain', async () => {
  const findings = await service().doctor.domain('other.example')
  expect(findings).toMatchObject([{ level: 'fail', about: 'other.example', found: 'not a domain of this service' }])
})

describe('the domain of our own emails', () => {
  const check = () => service().doctor.domain(SENDER)
  beforeEach(() => {
    const key = outside().zone[`mayfly._domainkey.${DOMAIN} TXT`]!
    Object.assign(outside().zone, {
      [DKIM]: key,
      [`${SENDER} TXT`]: ['v=spf1 mx include:relay.example ~all'],
      'relay.example TXT': ['v=spf1 ip4:192.0.2.9 -all'],
    })
  })

  test('needs DKIM and SPF, which may be as weak as its owner wants', async () => {
    const findings = await check()
    expect(findings.map(({ check: name }) => name).toSorted()).toEqual(['DKIM', 'SPF'])
    expect(troubles(findings)).toEqual([])
  })

  test.each([
    ['without a key', { [DKIM]: [] }, 'warn DKIM'],
    ['without SPF', { [`${SENDER} TXT`]: [] }, 'fail SPF'],
    ['with SPF for other senders', { [`${SENDER} TXT`]: ['v=spf1 ip4:192.0.2.1 ~all'] }, 'fail SPF'],
  ])('is reported %s', async (_what, records, trouble) => {
    Object.assign(outside().zone, records)
    const findings = await check()
    expect(troubles(findings)).toEqual([trouble])
    // A new record would replace what the owner of the domain has there.
    expect(findings.find(({ level }) => level !== 'ok')?.advice).not.toContain('v=spf1')
  })

  test('needs nothing without a relay', async () => {
    outside().zone[DKIM] = []
    const without = { MAYFLY_SPF: undefined, MAYFLY_OUTBOUND_URL: undefined } as unknown as Record<string, string>
    expect(await service(undefined, without).doctor.domain(SENDER)).toEqual([])
  })
})
