import { describe, expect, test } from 'vitest'
import { checkSenders, envelope, message, signed } from '#test/support/fixtures/sender-checks.ts'

const { check } = checkSenders()

describe('a forged message fails DMARC', () => {
  const OTHER = '192.0.2.99'
  const forgery = message('ceo@good.example')

  test.each([
    ['too many signatures', 'DKIM-Signature: v=1\r\n'.repeat(21) + forgery],
    ['a long run of spaces', `X: a${' '.repeat(1001)}b\r\n${forgery}`],
    ['a long run of spaces in From', forgery.replace('From: Shop', `From: Shop${' '.repeat(1001)}`)],
    ['too many lines', `X: a\r\n${' b\r\n'.repeat(10_001)}${forgery}`],
    ['a long field', `Received: ${'x '.repeat(5000)}\r\n${forgery}`],
  ])('with %s', async (_, mail) => {
    const { dkim, dmarc } = await check(mail, envelope('x@soft.example'))
    expect([dkim, dmarc]).toEqual(['policy', 'fail'])
  })

  test('that is too expensive never passes', async () => {
    const mail = 'DKIM-Signature: v=1\r\n'.repeat(21) + forgery
    expect(await check(mail, envelope('x@good.example'))).toEqual({ spf: 'pass', dkim: 'policy', dmarc: 'policy' })
  })

  test.each([
    ['of SPF', [], 'x@down.example'],
    ['of a signature', [['down.example', 's1']], 'x@soft.example'],
    ['of both', [['down.example', 's1']], 'x@down.example'],
    ['of a domain that only ends like that of the author', [['notgood.example', 's1']], 'x@soft.example'],
  ])('if other name servers fail: %s', async (_, signatures, mailFrom) => {
    let mail = forgery
    for (const [domain, selector] of signatures) mail = await signed(mail, domain, selector)
    expect((await check(mail, envelope(mailFrom, OTHER))).dmarc).toBe('fail')
  })

  const silent = async (mail: string): Promise<string> => {
    for (let i = 0; i < 6; i++) mail = await signed(mail, 'silent.example', `s${i}`)
    return mail
  }
  const from = (author: string) => forgery.replace('Shop <ceo@good.example>', author)
  // Concurrent, because each of them waits for the timeout of the look-up.
  test.concurrent.each<[string, string, string, (mail: string) => string | Promise<string>]>([
    ['of signatures', 'ceo@good.example', 'x@silent.example', silent],
    ['and SPF is that of the author', 'ceo@good.example', 'ceo@good.example', silent],
    ['and SPF of the author includes that of a hoster', 'ceo@hosted.example', 'ceo@hosted.example', silent],
    ['and a comment of the author names them', 'CEO (@silent.example) <ceo@good.example>', 'x@soft.example', silent],
    ['and the name of the author has them', '"CEO @silent.example" <ceo@good.example>', 'x@soft.example', silent],
    ['and the author has no record', 'ceo@mail.good.example', 'x@soft.example', silent],
    ['and the author has a space', '<ceo@ good.example>', 'x@soft.example', silent],
    ['and the author is not in ASCII', '<ceo@bücher.example>', 'x@soft.example', silent],
    ['of what SPF includes', 'ceo@good.example', 'x@slow.example', (mail) => mail],
    ['of SPF for a name of a policy', 'ceo@good.example', 'x@_dmarc.silent.example', silent],
    [
      'of a key that has the name of a policy',
      'ceo@good.example',
      'x@soft.example',
      async (mail) => silent(await signed(mail, 'silent.example', '_dmarc')),
    ],
    [
      'and a key of the author is missing',
      'ceo@good.example',
      'x@soft.example',
      async (mail) => silent(await signed(mail, 'good.example', 'nokey')),
    ],
    [
      'before a missing key of the author',
      'ceo@good.example',
      'x@soft.example',
      async (mail) => signed(await silent(mail), 'good.example', 'nokey'),
    ],
    [
      'and a stranger has signed',
      'ceo@good.example',
      'x@soft.example',
      async (mail) => signed(await silent(mail), 'evil.example', 'k'),
    ],
    [
      'after a stranger has signed',
      'ceo@good.example',
      'x@soft.example',
      async (mail) => silent(await signed(mail, 'evil.example', 'k')),
    ],
  ])('if name servers are silent %s', async (_, author, mailFrom, sign) => {
    const mail = await sign(from(author))
    expect((await check(mail, envelope(mailFrom, OTHER))).dmarc).toBe('fail')
  })

  test.each([
    ['a comment', `CEO <ceo@good.example> (${'@a.b '.repeat(2000)})`],
    ['a name on many lines', `"${`CEO \r\n ${'x '.repeat(450)}`.repeat(80)}" <ceo@good.example>`],
  ])('whose From is longer than that of any honest message: %s', async (_, author) => {
    const mail = from(author)
    expect(await check(mail, envelope('x@soft.example'))).toEqual({ spf: 'pass', dkim: 'policy', dmarc: 'fail' })
  })

  test('but passes if the signature of its author is between silent ones', async () => {
    const mail = await silent(await signed(await silent(forgery)))
    expect(await check(mail, envelope('x@soft.example', OTHER))).toMatchObject({ dkim: 'pass', dmarc: 'pass' })
  })

  test('but is undecided if a name server of its author fails', async () => {
    expect((await check(forgery, envelope('x@child.good.example', OTHER))).dmarc).toBe('temperror')
    const mail = await signed(forgery, 'child.good.example')
    expect((await check(mail, envelope('x@soft.example'))).dmarc).toBe('temperror')
  })

  test('says that name servers responded if none of them could answer', async () => {
    const mail = await signed(message('a@down.example'), 'down.example')
    const unchecked = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' }
    expect(await check(mail, envelope('x@down.example', OTHER))).toEqual({ ...unchecked, answered: true })
  })
})
