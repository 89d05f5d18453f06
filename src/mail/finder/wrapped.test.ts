import { describe, expect, test } from 'vitest'
import { findCodeAndLink } from './finder.ts'
import { linesOf } from './lines.ts'
import { unwrap } from './wrapped.ts'

test('joins the lines of wrapped paragraphs, but not those that end early', () => {
  const wrapped = [
    'Use the one-time code 75786411 to approve your purchase of DKK 2.349,00 at',
    'Nordbyg. Never tell it to others.',
    'Call us if it was not you.',
    '',
    'Your bank',
  ]
  expect(unwrap(wrapped)).toEqual([`${wrapped[0]} ${wrapped[1]}`, ...wrapped.slice(2)])
})

test('leaves lists, labeled values and text that is not wrapped', () => {
  const full = 'Here is everything that we know about the order that you placed on Monday:'
  const lists = [full, '- one', '- two', 'Number: 4711', 'Total: 12.50 EUR', '1. first']
  expect(unwrap(lists)).toEqual(lists)
  const long = `${full} ${full} ${full}`
  expect(unwrap([long, 'next', long])).toEqual([long, 'next', long])
})

test('joins a URL that was cut at the width of the text, also if only letters remain', () => {
  const url = `https://letter.example/confirm/${'4f1c'.repeat(28)}/from-the-footer-of-a-page-in-spring`
  const cut = url.match(/.{1,76}/g)!
  expect(cut.at(-1)).toMatch(/^[a-z-]+$/)
  expect(unwrap(['Open this page:', '', ...cut, '', 'Bye'])).toEqual(['Open this page:', '', url, '', 'Bye'])
})

test('does not join two URLs that are below each other', () => {
  const url = 'https://app.example/invitations/4f7c9e21b8/accept?role=bookkeeper'
  const lines = ['Anna invited you.', '', url, 'https://app.example/invitations/4f7c9e21b8/decline', 'Bye']
  expect(unwrap(lines)).toEqual(lines)
})

test('joins a URL that is the value of a parameter of the URL above', () => {
  const url = 'https://app.example/sign-in?token=4f7c9e21b84f7c9e21b84f7c9e21b8&continue='
  expect(unwrap(['Open:', '', url, 'https://app.example/home', '', 'Bye'])).toContain(`${url}https://app.example/home`)
})

const urlOf = (length: number): string => 'https://brindle.example/verify?token='.padEnd(length, 'k3J9xPq0Zz81bVn4')

describe('leaves a line after a whole URL', () => {
  const names =
    'Thanks,Thanks.,Brindle,Brindle24,Brindle-2026,Anna-Lena,-Anna,//Anna,/Anna,~anna,#brindle,anna,Ref:4711,24h,10min,v2.1'
  const others = 'brindle.example,brindle.example/help,www.brindle.example,0800-1234567,+49-30-1234567,28/11/2026'
  const rules = '---,----------,__________,==========,##########,--'
  const codes = '482913,4829,K7M2PX,X7K-9QP,482-913'
  test.each([names, others, rules, codes].join(',').split(','))('%s', (line) => {
    for (const length of [32, 55, 61, 70, 76, 80, 150, 400]) {
      const lines = ['Hi Anna,', '', urlOf(length), line, 'The Brindle team']
      expect(unwrap(lines)).toEqual(lines)
    }
  })

  test.each(['cd56ef', 'k7m2px', 'Potten:'])('at a width at which no program wraps: %s', (line) => {
    const lines = [urlOf(61), line, 'Bye']
    expect(unwrap(lines)).toEqual(lines)
  })
})

describe('joins a URL that was cut', () => {
  const tails = [
    'cd56ef78',
    '628-725188eabf9f',
    '507ec0903966ea1f4d2667',
    'ZCNB77VRB4ZLL99JQ8VW82',
    'Puqj5qUGHx',
    'pw&login=j.novak%40brindle.example',
    '&lang=en',
    '?lang=en',
    '/confirm-email',
  ]
  test.each(tails)('at %s', (tail) => {
    for (const width of [60, 64, 68, 70, 72, 74, 75, 76, 78, 80]) {
      const url = urlOf(width)
      expect(unwrap(['Open:', url, tail, '', 'Bye'])).toEqual(['Open:', url + tail, '', 'Bye'])
      expect(unwrap(['Open:', url, tail, 'Bye'])).toEqual(['Open:', url + tail, 'Bye'])
    }
  })

  test('at any width if two lines are full', () => {
    const url = `${urlOf(244)}abc`
    for (const width of [61, 82, 100, 120, 123])
      expect(unwrap(['Open:', ...url.match(new RegExp(`.{1,${width}}`, 'g'))!, '', 'Bye'])).toEqual([
        'Open:',
        url,
        '',
        'Bye',
      ])
  })
})

describe('below a URL of the width at which a program wraps', () => {
  const parts = ['XYZ12345', 'xKq', 'KqXR', '7', '30', '4829130477', '4F1C9E21B8', 'K7M2PX', '482913']
  test.each(parts)('%s is the end of it', (end) => {
    for (const width of [76, 78, 79, 80]) {
      const text = ['Confirm your email address:', '', urlOf(width), end, '', 'Thanks']
      expect(unwrap(text)).toEqual([text[0], '', urlOf(width) + end, '', 'Thanks'])
    }
  })

  const values = [
    'Thanks',
    'Ok',
    'anna',
    'ANNA',
    'iPhone',
    'AnnaLena',
    'Brindle24',
    'BRINDLE24',
    '2026',
    '28112026',
    '20261128',
  ]
  test.each([...values, '28/11/2026', '28.11.2026', '0800-1234567', '08001234567', '+49301234567', '---'])(
    '%s is a line of its own',
    (line) => {
      const text = ['Hi Anna,', '', urlOf(76), line, '', 'The Brindle team']
      expect(unwrap(text)).toEqual(text)
    },
  )

  test.each(['XYZ12345', 'K7M2PX', '482913', '4829', '48291304'])('%s is the code that the message names', (code) => {
    const text = ['Your link and your one-time code:', '', urlOf(76), code, '', 'The Brindle team']
    expect(unwrap(text)).toEqual(text)
  })
})

test('finds the link and the code of a text in which something follows a long URL', () => {
  const find = (text: string, subject = 'Sign in to Brindle') =>
    findCodeAndLink({
      subject,
      text,
      html: null,
      fromName: 'Brindle',
      fromAddress: 'a@b.example',
    })
  for (const length of [61, 76, 150]) {
    const url = urlOf(length)
    expect(find(`Your sign-in link:\n\n${url}\n482913\n\nBye`, 'Your one-time code').code).toBe('482913')
    expect(find(`Please confirm your email address:\n${url}\nThanks\nThe Brindle team`).link).toBe(url)
    expect(find(`Your login link and your one-time code:\n${url}\n482913`).code).toBe('482913')
  }
})

test.each([70, 72, 75, 76, 78])('joins the random end of a URL that was cut at %i characters', (width) => {
  const head = `https://brindle.example/verify?token=${'k3J9xPq0Zz81bVn4'.repeat(8)}`.slice(0, width)
  for (const end of ['4829130561734', '0A7FC2', 'Zz81bVn4Qp'])
    expect(unwrap(['Please confirm:', '', head, end, '', 'Bye'])).toEqual([
      'Please confirm:',
      '',
      head + end,
      '',
      'Bye',
    ])
})

test('removes the stars of emphasis in text parts, but not those of masked numbers', () => {
  const texts = (text: string) => linesOf(text, 10, { wrapped: true }).map((line) => line.text)
  expect(texts('The code is *375776*.\nCard **** 7715, code **AB12-CD34**')).toEqual([
    'The code is 375776.',
    'Card **** 7715, code AB12-CD34',
  ])
})

test('joins the lines of a wrapped text with a long signature', () => {
  const wrapped = [
    'With your card ending in 4417 you are about to pay 289,90 EUR. Your TAN is',
    '356294 and works for 5 minutes.',
    '',
    'If the amount or the shop is not right, then do not enter the TAN and call',
    'our hotline 116 116.',
    '',
    '-- ',
    'Rheinbank Direkt AG, Taunusanlage 11, 60329 Frankfurt am Main, HRB 48117, USt-IdNr. DE 814 506 713',
  ]
  const joined = [`${wrapped[0]} ${wrapped[1]}`, '', `${wrapped[3]} ${wrapped[4]}`]
  expect(unwrap(wrapped)).toEqual([...joined, ...wrapped.slice(5)])
})

describe('joins a line that only begins like a line of its own', () => {
  const filler = 'Guten Tag, der Code für Ihre Zahlung bei Brindle Audio mit der Karte'
  test.each([
    '**** 8821 lautet: 630418. Geben Sie ihn niemandem.',
    'der Firma BRINDLE AUDIO. Code: 47190362.',
    'mit 8821 am Ende lautet: 630418.',
    '58203941. Geben Sie ihn niemandem.',
  ])('%s', (line) => expect(unwrap([filler, line, ''])).toEqual([`${filler} ${line}`, '']))

  test.each([
    '- Milk',
    '* Milk',
    '• Milk',
    '1. Milk',
    '12) Milk',
    '---',
    '*****',
    'Code: 482913',
    'Order no.: 4711',
    'HTTPS://a.example/',
  ])('leaves %s on its own line', (line) => expect(unwrap([filler, line, ''])).toEqual([filler, line, '']))
})
