import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { zoneOf } from '#test/support/dns/outside.ts'
import { type Presence, spfTerms, zoneLines } from './dns-records.ts'
import { createMtaSts } from './mta-sts.ts'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const mtaSts = { domains: ['mayfly.example'], mailHost: 'mx.mayfly.example', mode: 'testing', maxAge: 604_800 } as const
const presence: Presence = {
  domains: ['mayfly.example'],
  mailHost: 'mx.mayfly.example',
  senders: 'include:relay.example',
  signingKey: async (domain) => ({ domain, selector: 'mayfly', privateKey }),
  mtaSts: createMtaSts(mtaSts),
  siteHost: 'www.mayfly.example',
}

test('prints all records of a domain for a zone file', async () => {
  const lines = await zoneLines('mayfly.example', presence)
  expect(zoneOf(lines)).toEqual({
    'mayfly.example MX': ['10 mx.mayfly.example.'],
    'mayfly.example TXT': ['v=spf1 include:relay.example -all'],
    'mayfly._domainkey.mayfly.example TXT': [expect.stringMatching(/^v=DKIM1; k=rsa; p=[\w+/]{300,}=*$/)],
    '_dmarc.mayfly.example TXT': ['v=DMARC1; p=reject; rua=mailto:postmaster@mayfly.example'],
    '_mta-sts.mayfly.example TXT': [expect.stringMatching(/^v=STSv1; id=[a-z0-9]{1,32}$/)],
    'mta-sts.mayfly.example CNAME': ['www.mayfly.example.'],
    '_smtp._tls.mayfly.example TXT': ['v=TLSRPTv1; rua=mailto:postmaster@mayfly.example'],
  })
  const comments = lines.filter((line) => line.startsWith(';')).join('\n')
  for (const part of ['mx.mayfly.example. needs A and AAAA records', 'PTR']) expect(comments).toContain(part)
  expect(comments).not.toContain('is not a domain')
})

test('prints a comment instead of SPF if the addresses of the relay are unknown', async () => {
  const lines = await zoneLines('mayfly.example', { ...presence, senders: undefined })
  expect(lines).toContain('; SPF: set MAYFLY_SPF to the public addresses that the relay sends from.')
  expect(zoneOf(lines)['mayfly.example TXT']).toBeUndefined()
})

test('splits a key of 2048 bits into two strings', async () => {
  const dkim = (await zoneLines('mayfly.example', presence)).find((line) => line.includes('_domainkey'))
  expect(dkim?.match(/"[^"]+"/g)?.map((text) => text.length - 2)).toEqual([255, expect.any(Number)])
})

test('prints a comment for a site that is not public', async () => {
  const lines = await zoneLines('mayfly.example', { ...presence, siteHost: null })
  expect(lines.some((line) => /^; mta-sts\.mayfly\.example\. .*MAYFLY_PUBLIC_URL/.test(line))).toBe(true)
  expect(Object.keys(zoneOf(lines)).some((key) => key.endsWith('CNAME'))).toBe(false)
})

test('prints no records of a domain whose mail does not arrive here', async () => {
  const lines = await zoneLines('other.example', presence)
  expect(zoneOf(lines)).toEqual({})
  expect(lines.some((line) => line.startsWith('; other.example is not a domain of this service'))).toBe(true)
})

describe('the domain of our own emails, if it is none of ours', () => {
  const linesWith = (senders: string | undefined) =>
    zoneLines('corp.example', { ...presence, senderDomain: 'corp.example', senders })

  test('needs the DKIM key, and terms in its SPF record', async () => {
    const lines = await linesWith('include:relay.example')
    expect(zoneOf(lines)).toEqual({ 'mayfly._domainkey.corp.example TXT': [expect.stringMatching(/^v=DKIM1; /)] })
    expect(lines.join('\n')).toMatch(/^; SPF: .* include:relay\.example$/m)
  })

  test('needs no terms without a relay, and unknown ones with a private relay', async () => {
    expect((await linesWith('')).join('\n')).not.toContain('SPF')
    expect((await linesWith(undefined)).join('\n')).toMatch(/^; SPF: set MAYFLY_SPF/m)
  })
})

test.each([
  ['no host without a relay', undefined, undefined, ''],
  ['the setting, whatever the relay is', 'include:x.example', 'smtp://relay.example', 'include:x.example'],
  ['the host of the relay', undefined, 'smtps://user:secret@relay.example:465', 'a:relay.example'],
  ['its IPv4 address', undefined, 'smtp://192.0.2.1:587', 'ip4:192.0.2.1'],
  ['its IPv6 address', undefined, 'smtp://[2001:db8::1]', 'ip6:2001:db8::1'],
  ['the receiver for a relay on this machine', undefined, 'smtp://localhost', 'a:mx.mayfly.example'],
  ['the receiver for a loopback address', undefined, 'smtp://[::1]:25', 'a:mx.mayfly.example'],
  ['nothing for a relay in a private network', undefined, 'smtp://10.0.0.5:587', undefined],
  ['nothing for a relay in a Docker network', undefined, 'smtp://172.17.0.1', undefined],
  ['nothing for a private IPv6 address', undefined, 'smtp://[fd00::5]', undefined],
  ['nothing for a name without a dot', undefined, 'smtp://postfix:25', undefined],
  ['nothing for a name for private use', undefined, 'smtp://host.docker.internal', undefined],
  ['the setting for a relay in a private network', 'ip4:192.0.2.7', 'smtp://10.0.0.5', 'ip4:192.0.2.7'],
])('SPF names %s', (_what, setting, relay, terms) => expect(spfTerms(setting, relay, 'mx.mayfly.example')).toBe(terms))

test('changes the id of a policy with its text', () => {
  const { id, text } = createMtaSts(mtaSts)
  expect(text).toBe('version: STSv1\r\nmode: testing\r\nmx: mx.mayfly.example\r\nmax_age: 604800\r\n')
  expect(createMtaSts({ ...mtaSts }).id).toBe(id)
  for (const change of [{ mode: 'enforce' }, { maxAge: 1 }, { mailHost: 'x.example' }] as const)
    expect(createMtaSts({ ...mtaSts, ...change }).id).not.toBe(id)
})

test('returns the policy only for the policy hosts of the mail domains', () => {
  const { policyOf, text } = createMtaSts(mtaSts)
  for (const host of ['mta-sts.mayfly.example', 'MTA-STS.Mayfly.Example', 'mta-sts.mayfly.example.'])
    expect(policyOf(host)).toBe(text)
  for (const host of ['mayfly.example', 'mta-sts.other.example', 'x.mta-sts.mayfly.example', ''])
    expect(policyOf(host)).toBeUndefined()
})
