import { describe, expect, test } from 'vitest'
import { languages } from '#locales/languages.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { corpus } from './corpus.ts'
import { findCodeAndLink } from './finder.ts'
import { measure, searchOnce } from './measure.ts'
import { hashOf, lessons } from './train.ts'
import trained from './weights.json' with { type: 'json' }
import { LANGUAGES } from './words/stems.ts'

const find = (subject: string, text: string | null, html: string | null = null) =>
  findCodeAndLink({ subject, text, html, fromName: 'Harbor', fromAddress: 'no-reply@harbor.example' })
const code = (text: string, subject = 'Sign in') => find(subject, text).code

/** The least share of right answers among all answers, and of right answers among all messages that have one. */
const FLOORS = {
  tuning: { code: { precision: 0.985, recall: 0.83 }, link: { precision: 0.97, recall: 0.86 } },
  measured: { code: { precision: 0.985, recall: 0.93 }, link: { precision: 0.98, recall: 0.94 } },
} as const

describe.each(['tuning', 'measured'] as const)('the %s part of the corpus', (part) => {
  const cases = corpus(part)

  test('has nothing to find in 40 % of its mails', () => {
    const nothing = cases.filter(({ expect: expected }) => expected.code === null && expected.link === null)
    expect(nothing.length / cases.length).toBeGreaterThanOrEqual(0.4)
  })

  /** Only one message in four of the large part, which is enough to detect a regression. */
  const searched = part === 'tuning' ? cases.filter((_mail, i) => i % 4 === 0) : cases
  const search = searchOnce()

  test.each(['code', 'link'] as const)('is searched for each %s as well as before', (kind) => {
    const { recall, precision } = measure(searched, kind, search)
    expect(precision).toBeGreaterThanOrEqual(FLOORS[part][kind].precision)
    expect(recall).toBeGreaterThanOrEqual(FLOORS[part][kind].recall)
  })
})

test('the corpus has at least 26,000 messages, in the languages of the site and ten others', () => {
  const cases = [...corpus('tuning'), ...corpus('measured')]
  expect(cases.length).toBeGreaterThanOrEqual(26_000)
  const spoken = new Set(cases.map(({ language }) => language))
  expect(Object.keys(LANGUAGES).filter((language) => !spoken.has(language))).toEqual([])
  expect(languages.every(({ code: language }) => language in LANGUAGES)).toBe(true)
  expect(Object.keys(LANGUAGES).length).toBe(43)
})

test('the weights were made from these mails and these features', () =>
  expect(trained.examples).toBe(hashOf(lessons())))

test('candidates say how probable they are and where they stand', () => {
  const { code: none, candidates } = find('Hello', 'For the app: 482913')
  expect(none).toBeNull()
  expect(candidates).toEqual([
    { kind: 'code', value: '482913', confidence: expect.any(Number), context: 'For the app: 482913' },
  ])
  expect(find('Sign in', 'Your code: 482913').candidates[0]).toMatchObject({ kind: 'code', value: '482913' })
})

describe('a code', () => {
  test.each([
    ['Your code: 482 913', '482913'],
    ['Your code: 482-913', '482913'],
    ['Your code: G-482913', '482913'],
    ['Your code: X7K-9QP', 'X7K-9QP'],
    ['Your code: 4 8 2 9 1 3', '482913'],
    ['Your code:\n\n٤٨٢٩١٣', '482913'],
    ['Your code:\n４８２９１３', '482913'],
    ['Your code is 4829.', '4829'],
    ['Your code is 48291304.', '48291304'],
    ['Your code is “482913”', '482913'],
    ['Your activation code is: a8f3-22bc-9d01', 'a8f3-22bc-9d01'],
    ['Ihre mTAN für die Überweisung über 1.249,00 EUR lautet 482913.', '482913'],
    ['Your login code is\u00a0482\u2009913', '482913'],
  ])('is found in: %s', (text, expected) => expect(code(text)).toBe(expected))

  test('needs no stated purpose, unless the message is about trade', () => {
    expect(code('Hi!\n\nYour code is 482913\n\nBye', 'Hello')).toBe('482913')
    expect(code('Your code is 4829', 'Hello')).toBe('4829')
    expect(code('Use code 482913 for 20 % off all orders', 'Hello')).toBe(null)
  })

  test.each([
    'Your code expires in 1440 minutes.',
    'Your code was sent to +1 415 555 0142.',
    'Your code was sent at 14:30 on 12/03/2026.',
    'Your code is 123.',
    'Use your code before 2026.',
    'Sign in to see order 482913.',
    'The code for your account ending in 4821 was used.',
    'Your gift card code: 482913',
    'QR code 482913',
    'Error code: 80070057',
    'Area code 0415',
    'The colour code is #482913',
    'Your code costs $4829',
    'Get 4829 points with your code',
    'Your code: https://harbor.example/482913',
    'Your code: agent482913@harbor.example',
    'Meeting ID: 824 1234 5678 Passcode: 482913',
    'Reference 482913. A code keeps your account secure.',
  ])('is not found in: %s', (text) => expect(code(text)).toBeNull())

  test('is not found if two candidates have the same weight', () =>
    expect(code('Your code: 482913\nYour code: 739204')).toBeNull())
  test('is the candidate that is also in the subject', () =>
    expect(code('Your code: 482913\nYour code: 739204', '739204 is your login code')).toBe('739204'))
  test('is not the account number in the same sentence', () =>
    expect(code('Your verification code for account 77120 is 482913')).toBe('482913'))
  test('is the candidate next to the code word, not the card number', () =>
    expect(code('482913 is OTP for txn of INR 4,829.00 at SHOP on card ending 4821.')).toBe('482913'))
  test('is found in HTML if the text part has none', () =>
    expect(find('Sign in', 'Please use a client that shows HTML.', '<p>Your code</p><h1>482913</h1>').code).toBe(
      '482913',
    ))
  test('is not found in hidden text', () =>
    expect(find('Sign in', null, '<p>Your code</p><h1 style="display:none">739204</h1><h1>482913</h1>').code).toBe(
      '482913',
    ))
})

describe('a link', () => {
  const link = (html: string, subject = 'Verify your email') => find(subject, null, html).link
  const token = 'token=9f8a7c6b5d4e3f2a'

  test('is returned as written in the message', () =>
    expect(link(`<a href=" https://a.example/verify?a=1&amp;${token} ">Verify email</a>`)).toBe(
      `https://a.example/verify?a=1&${token}`,
    ))
  test.each([
    ['https://a.example/verify?\n\ta=1&amp;%', 'https://a.example/verify?a=1&%'],
    ['https://a.example/verify?\r\n  a=1&amp;%', 'https://a.example/verify?%20%20a=1&%'],
  ])('is the URL that a browser opens for %j', (href, expected) =>
    expect(link(`<a href="${href.replace('%', token)}">Verify email</a>`)).toBe(expected.replace(/%$/, token)),
  )
  test('is found in an image map', () =>
    expect(
      link(
        `<p>Welcome</p><img src="x.png" usemap="#M"><map name="M"><area href="https://a.example/verify?${token}" alt="Verify email"></map>`,
      ),
    ).toBe(`https://a.example/verify?${token}`))
  test('is found if it occurs both as a button and in full', () =>
    expect(
      link(
        `<a href="https://a.example/verify?${token}">Verify</a><a href="https://a.example/verify?${token}">https://a.example/verify?${token}</a>`,
      ),
    ).toBe(`https://a.example/verify?${token}`))
  test.each([
    'Confirm your address at %.',
    'Bestätigen Sie Ihre E-Mail-Adresse: »%«',
    'لتأكيد بريدك الإلكتروني افتح %، ثم أكمل',
    'እዚህ ያረጋግጡ: %።',
    'Confirm your address: `%`',
    'Confirm your address: *%*',
    'Confirm your address: **%**',
    'Confirm your address: _%_',
    'Confirm your address: ~%~',
    '|Confirm your address|%|',
    '[Confirm your address](%)',
    'Confirm your address: [%](%)',
    'Confirm your address: &lt;%&gt;',
    'Confirm your address (%)or ignore this email',
    'メールアドレスを確認: %を開くサーバー',
  ])('does not include the punctuation after it: %s', (text) =>
    expect(find('Hello', text.replaceAll('%', 'https://a.example/confirm/9f8a7c6b5d4e3f2a')).link).toBe(
      'https://a.example/confirm/9f8a7c6b5d4e3f2a',
    ),
  )
  test.each([
    ['Confirm your address: https://a.example/verify?id=12&amp;token=9f8a7c6b5d4e3f2a', 'id=12&token'],
    ['Confirm your address: https://a.example/verify?x=%26amp;&token=9f8a7c6b5d4e3f2a', 'x=%26amp;&token'],
  ])('is unescaped in a text part without a bare ampersand: %s', (text, query) =>
    expect(find('Confirm your email', text).link).toBe(`https://a.example/verify?${query}=9f8a7c6b5d4e3f2a`),
  )
  test('is not found if two different ones have the same weight', () =>
    expect(
      link(
        `<a href="https://a.example/verify?${token}">Verify</a><a href="https://b.example/verify?${token}">Verify</a>`,
      ),
    ).toBeNull())

  test.each([
    ['another scheme', `<a href="javascript:verify?${token}">Verify email</a>`],
    ['a URL with a user name', `<a href="https://bank.example@a.example/verify?${token}">Verify email</a>`],
    ['the front page', '<a href="https://a.example/">Verify email</a>'],
    ['unsubscribing', `<a href="https://a.example/u?${token}">Unsubscribe</a>`],
    ['unsubscribing in the path', `<a href="https://a.example/unsubscribe?${token}">Confirm</a>`],
    ['an order', `<a href="https://a.example/o?${token}">Order confirmation</a>`],
    [
      'securing the account',
      `<p>If this wasn't you,</p><a href="https://a.example/reset?${token}">reset your password</a>`,
    ],
    ['an app store', `<a href="https://play.google.com/store/apps?${token}">Verify</a>`],
    ['an image', `<a href="https://a.example/verify-9f8a7c6b5d4e3f2a.png">Verify</a>`],
    ['a page without a token', '<a href="https://a.example/about/how">Verify</a>'],
  ])('is not %s', (_what, html) => expect(link(html)).toBeNull())
})

describe('a message made to be slow', () => {
  const MILLION = 1_000_000
  test.each(
    Object.entries({
      urls: 'https://',
      links: 'https://a.example/x?token=1234567890abcdef ',
      digits: '1234 ',
      codes: 'code 482913 ',
      lines: 'your code:\n482913\n',
      boxes: '1\n',
      spaced: '1 ',
      capitals: 'ABCDE ',
      dashes: 'A1-',
      words: 'verify ',
      Chinese: '验证码',
      stops: '. ',
      white: ' ',
      depth: '<div>',
      cells: '<td>1</td>',
      tags: '<',
      orders: 'order: 482913\n',
      anchors: '<a href="https://a.example/verify?token=1234567890abcdef">verify</a>',
    }),
  )('with %s is searched in less than 300 ms', (_name, piece) => {
    const text = piece.repeat(MILLION / piece.length)
    expect(cpuTime(() => find(text, text, text))).toBeLessThan(300)
  })

  test.each(['aBc', 'a1a1', 'AbAbAb1', 'ABCDEfg1x'])(
    'with long words like %s in URLs is searched in less than 300 ms',
    (end) => {
      for (const word of ['a', 'A', 'Ab', 'ab1', 'abcdEF']) {
        const url = `https://a.example/${word.repeat(1900 / word.length)}${end}?token=${word.repeat(50)}${end}`
        expect(cpuTime(() => find('Verify', `${url}\n`, `<a href="${url}">Verify</a>`))).toBeLessThan(300)
      }
    },
  )

  test.each([
    ['a URL that ends in stops', `https://a.example/${'.'.repeat(20_000)}a`, null],
    ['parameters of campaigns', `https://a.example/?${'utm_a=utm_b=&'.repeat(20)}&`, null],
    ['a font size of digits', null, `<p style="font-size:${'0'.repeat(3000)}x">482913</p>`],
  ])('with %s is searched in less than 100 ms', (_what, text, html) =>
    expect(cpuTime(() => find('Verify', text, html))).toBeLessThan(100),
  )

  test.each(['<img ', '<img alt="11', '<img alt=', '<img alt="A1', '<img alt=1 '])(
    'with images like %s below a text is searched in less than 300 ms',
    (piece) => {
      const html = `<p>Hi there</p>${piece.repeat(200_000 / piece.length)}`
      expect(cpuTime(() => find('Your code', null, html))).toBeLessThan(300)
    },
  )

  test('with 100,000 links is searched in less than 300 ms', () => {
    const html = Array.from(
      { length: 100_000 },
      (_, i) => `<a href="https://a.example/verify?token=${i}">Verify</a>`,
    ).join('')
    expect(cpuTime(() => find('Verify', null, html))).toBeLessThan(300)
  })

  test('still yields the code of its text', () =>
    expect(find('Sign in', 'Your code: 482913', '<div>'.repeat(100_000)).code).toBe('482913'))
})
