import { describe, expect, test } from 'vitest'
import { RawClient, startServer } from './testing.ts'

const EHLO = 'EHLO client.example'
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const LOGIN = [/^334 VXNlcm5hbWU6$/, /^334 UGFzc3dvcmQ6$/, /^235 2\.7\.0 /]

describe('on a local site, AUTH', () => {
  test.each([
    ['PLAIN with an initial response', [`AUTH PLAIN ${base64('\0ann\0word')}`], [/^235 2\.7\.0 /]],
    ['PLAIN in two lines', ['auth plain', base64('\0ann\0word')], [/^334 ?$/, /^235 /]],
    ['PLAIN with an empty response', ['AUTH PLAIN ='], [/^235 /]],
    ['LOGIN', ['AUTH LOGIN', base64('ann'), base64('word')], LOGIN],
    ['LOGIN with an initial response', [`AUTH LOGIN ${base64('ann')}`, base64('word')], LOGIN.slice(1)],
    ['LOGIN with responses that look like commands', ['AUTH LOGIN', 'QUIT', 'RSET'], LOGIN],
    ['CRAM-MD5', ['AUTH CRAM-MD5', base64('ann 0123456789abcdef')], [/^334 [A-Za-z0-9+/]{20,}=*$/, /^235 /]],
    ['a canceled exchange', ['AUTH LOGIN', '*', 'NOOP'], [/^334 /, /^501 5\.7\.0 /, /^250 /]],
    ['an unknown mechanism', ['AUTH XOAUTH2 abc', 'NOOP'], [/^504 5\.5\.4 /, /^250 /]],
    ['no mechanism', ['AUTH'], [/^504 /]],
  ])('accepts or refuses %s, and the session continues', async (_what, lines, replies) => {
    await using smtp = await startServer({ isLocalSite: true })
    const client = await RawClient.connect(smtp.port)
    expect(await client.ask(EHLO)).toMatch(/^250-AUTH PLAIN LOGIN CRAM-MD5$/m)
    for (const [i, line] of lines.entries()) expect(await client.ask(line), line).toMatch(replies[i]!)
    await client.startData()
    expect(await client.ask('Hello\r\n.')).toMatch(/^250/)
    expect(smtp.logs.join('\n')).not.toContain(base64('word'))
    client.close()
  })

  test('is accepted once, after EHLO, and not within a transaction', async () => {
    await using smtp = await startServer({ isLocalSite: true })
    const client = await RawClient.connect(smtp.port)
    expect(await client.ask('AUTH PLAIN =')).toMatch(/^503/)
    await client.ask('HELO client.example')
    expect(await client.ask('AUTH PLAIN =')).toMatch(/^503/)
    await client.ask(EHLO)
    expect(await client.ask('MAIL FROM:<s@example.org> AUTH=<>')).toMatch(/^250/)
    expect(await client.ask('AUTH PLAIN =')).toMatch(/^503/)
    await client.ask('RSET')
    expect(await client.ask('AUTH PLAIN =')).toMatch(/^235/)
    expect(await client.ask('AUTH PLAIN =')).toMatch(/^503/)
    client.close()
  })

  test('ends at a response that is too long', async () => {
    await using smtp = await startServer({ isLocalSite: true })
    const client = await RawClient.connect(smtp.port)
    await client.ask(EHLO)
    await client.ask('AUTH LOGIN')
    expect(await client.ask('x'.repeat(5000))).toMatch(/^500/)
    expect(await client.ask('NOOP')).toMatch(/^250/)
    client.close()
  })
})

test.each([
  [{}, true, false],
  [{ isLocalSite: true }, false, true],
  [{ isLocalSite: true, startTls: 'on', auth: 'off' }, true, false],
  [{ isLocalSite: false, startTls: 'off', auth: 'on' }, false, true],
] as const)('with %j STARTTLS is offered: %s, AUTH: %s', async (options, startTls, auth) => {
  await using smtp = await startServer(options)
  const client = await RawClient.connect(smtp.port)
  const offers = await client.ask(EHLO)
  expect([offers.includes('STARTTLS'), offers.includes('AUTH')]).toEqual([startTls, auth])
  expect(await client.ask('MAIL FROM:<s@example.org> AUTH=<>')).toMatch(auth ? /^250/ : /^555/)
  await client.ask('RSET')
  expect(await client.ask('AUTH PLAIN =')).toMatch(auth ? /^235/ : /^500 5\.5\.1 Unknown command/)
  expect(await client.ask('STARTTLS')).toMatch(startTls ? /^220/ : /^502/)
  client.close()
})

test('offers STARTTLS and no AUTH on a local site to a remote client behind a proxy', async () => {
  await using smtp = await startServer({ isLocalSite: true, proxies: ['127.0.0.1'] })
  const client = await RawClient.connect(smtp.port, { greeting: false })
  client.send('PROXY TCP4 203.0.113.9 192.0.2.1 40000 25\r\n')
  await client.reply()
  const offers = await client.ask(EHLO)
  expect([offers.includes('STARTTLS'), offers.includes('AUTH')]).toEqual([true, false])
  client.close()
})
