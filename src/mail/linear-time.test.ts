import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import { inspect } from './checks/inspect.ts'
import { withoutForgedResults, withoutReturnPath } from './forwarding/header-section.ts'
import { reportOf } from './forwarding/report.ts'
import { archiveOf } from './reader/archive.ts'
import { contentOf } from './reader/content.ts'
import { fallbackContent, fallbackSummary } from './reader/fallback.ts'
import { defaultParseLimits } from './reader/limits.ts'
import { createLookUp, isExcessive, type LookUp } from './reader/look-up.ts'
import { parseMail } from './reader/parse.ts'
import { summarize } from './reader/summarize.ts'

/**
 * A regular expression that takes quadratic time looks like any other. So every reader gets every header and kind of body
 * with long repetitions of what any of them looks for. On a busy machine, no step takes more than 40 ms of CPU time. A step
 * that takes quadratic time takes hundreds.
 */
const CHARACTERS = 15_000
/** Milliseconds of CPU time for one step. */
const LIMIT = 150

const repeated = (text: string): string => text.repeat(CHARACTERS / text.length)

const SPACES = [' ', '\t', '\r\n ', ' \r\n ', '\n', ' \n', '\r']
const SIGNS = [
  ',',
  ';',
  ':',
  '<',
  '>',
  '(',
  '()',
  '[',
  '{',
  '"',
  "''",
  '\\',
  '"\\',
  '=',
  '/',
  '-',
  '.',
  '&',
  '%',
  '_',
  '?',
]
const WORDS = [
  'a',
  'Aa',
  'a.',
  '0',
  '5.1.1 ',
  '123456 ',
  'A1-',
  'é',
  '\u0301',
  '\u200d',
  '。',
  '“',
  '=20',
  '=\r\n',
  '=?utf-8?Q?a?= ',
]
const ADDRESSES = [
  '@',
  'a@',
  'a@b,',
  '<a@b>',
  '<a@b>:\n\n',
  'http://',
  '<http://a',
  'http://a.example/ ',
  'www.a.',
  'cid:',
]
const PARAMETERS = [
  '+ ',
  'from:',
  '*0*=x;',
  ' a=b;',
  ';a="',
  'a:b;',
  '?utm_a=utm_b=&',
  'BEGIN:VEVENT\r\n',
  '--B\r\n',
  '--B--',
]
const HTML = [
  '<b>',
  '<b',
  '</b>',
  '<!--',
  '<style>',
  '<a href=x>',
  '<img src=',
  '<p>',
  '<table>',
  '&lt;',
  '&#x1',
  '<![CDATA[',
]
const CSS = ['/*', '@media x{', 'a{', 'a{b:c}', '}', 'url("', '!important', 'calc(', ':is(', 'font-size:0', '! ']
const TEXTS = ['> ', '> \n', '-- \n', 'code ', 'Action: failed\r\n\r\n', 'https://確']

const IN_HEADERS = [...SPACES, ...SIGNS, ...WORDS, ...ADDRESSES, ...PARAMETERS]
const IN_BODIES = [...IN_HEADERS, ...HTML, ...CSS, ...TEXTS]

const FIELDS = [
  'From: ',
  'To: ',
  'Reply-To: ',
  'Subject: ',
  'Date: ',
  'Message-ID: ',
  'Content-ID: ',
  'X-Failed-Recipients: ',
]
const TYPES = ['text/html; charset="', 'application/pdf; name="', 'text/plain; format=flowed; ', 'multipart/mixed; ']
const HEADERS = [
  ...FIELDS,
  ...TYPES.map((type) => `Content-Type: ${type}`),
  'Content-Disposition: attachment; filename="',
  'Content-Disposition: attachment; filename*',
  'List-Unsubscribe: ',
  'Authentication-Results: ',
  'DKIM-Signature: v=1; a=rsa-sha256; d=b.example; s=x; h=from; bh=AAAA; b=A',
  'DKIM-Signature: ',
  'ARC-Authentication-Results: i=1; ',
  'ARC-Message-Signature: i=1; ',
  'ARC-Seal: i=1; ',
  'Received: ',
  'DKIM-Signature: v=1; a=rsa-sha256; d=b.example; s=x; bh=AAAA; b=A; h=',
  'x',
]
const BODIES: [string, (long: string) => string][] = [
  ['a text', (long) => `Content-Type: text/plain; charset=utf-8\r\n\r\na${long}b`],
  ['flowed text', (long) => `Content-Type: text/plain; format=flowed; charset=utf-8\r\n\r\na${long}b`],
  ['quoted-printable text', (long) => `Content-Transfer-Encoding: quoted-printable\r\n\r\n${long}`],
  ['HTML', (long) => `Content-Type: text/html; charset=utf-8\r\n\r\n<p>a${long}b`],
  ['a style sheet', (long) => `Content-Type: text/html\r\n\r\n<style>a{b:${long}}${long}</style><p>x`],
  ['a style', (long) => `Content-Type: text/html\r\n\r\n<p style='font-size:${long};color:${long}'>Your code: 482913`],
  ['a link', (long) => `Content-Type: text/html\r\n\r\n<a href='https://a.example/${long}&x=1'>Confirm ${long}</a>`],
  ['an image', (long) => `Content-Type: text/html\r\n\r\n<img srcset='https://a.example/${long}' src='cid:${long}'>`],
  [
    'an invitation',
    (long) =>
      `Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;TZID=${long}:20260101T000000\r\nRRULE:${long}\r\nSUMMARY:${long}\r\nEND:VEVENT\r\nEND:VCALENDAR`,
  ],
  [
    'a report',
    (long) =>
      `Content-Type: multipart/report; boundary=B\r\n\r\n--B\r\nContent-Type: message/delivery-status\r\n\r\nx: y\r\n\r\nAction: failed\r\nStatus: ${long}\r\nDiagnostic-Code: ${long}\r\n\r\n--B--`,
  ],
  ['parts', (long) => `Content-Type: multipart/mixed; boundary=B\r\n\r\n${long}\r\n--B\r\n${long}\r\n--B--`],
]

let dns: DnsServer
let lookUp: LookUp
beforeAll(async () => {
  dns = await startDnsServer()
  lookUp = createLookUp({ dnsServers: [dns.address], timeout: 10_000 })
  // The first message also loads what the readers need.
  await slowSteps(Buffer.from('From: a@b.example\r\nContent-Type: text/html\r\n\r\n<p>Your code: 482913'))
})
afterAll(() => dns.close())

/** Reads a message in every way that the program does. Returns what took too long. */
async function slowSteps(raw: Buffer): Promise<string[]> {
  const slow: string[] = []
  async function step<T>(name: string, work: () => T): Promise<Awaited<T>> {
    const before = process.threadCpuUsage()
    const result = await work()
    const { user, system } = process.threadCpuUsage(before)
    if ((user + system) / 1000 > LIMIT) slow.push(`${name}: ${Math.round((user + system) / 1000)} ms`)
    return result
  }
  await step('headers only', () => [fallbackSummary(raw, ENVELOPE), fallbackContent(raw)])
  await step('forwarding', () => withoutForgedResults(withoutReturnPath(raw), 'mayfly.test'))
  await step('sender checks', async () => {
    if (!isExcessive(raw)) await lookUp.all(raw, ENVELOPE, 'mayfly.test')
  })
  const mail = await step('parsing', () => parseMail(raw, defaultParseLimits).catch(() => undefined))
  if (!mail) return slow
  await step('summary', () => summarize(mail, ENVELOPE))
  await step('content', () => contentOf(mail))
  await step('archive', () => archiveOf(mail))
  await step('report', () => reportOf(mail))
  await step('checks', () => inspect(mail))
  return slow
}

async function slowOf(texts: readonly string[], make: (long: string) => string): Promise<string[]> {
  const found: string[] = []
  for (const text of texts)
    for (const slow of await slowSteps(Buffer.from(make(repeated(text)))))
      found.push(`${JSON.stringify(text)}, ${slow}`)
  return found
}

test.each(HEADERS)('every reader takes linear time for the header %j', { tags: ['slow'] }, async (header) => {
  const from = header.startsWith('From') ? '' : 'From: a@b.example\r\n'
  expect(await slowOf(IN_HEADERS, (long) => `${from}${header}a${long}b: x\r\n\r\n<p>body`)).toEqual([])
})

test.each(BODIES)('every reader takes linear time for %s', { tags: ['slow'] }, async (_name, body) => {
  expect(await slowOf(IN_BODIES, (long) => `From: a@b.example\r\nSubject: your code\r\n${body(long)}`)).toEqual([])
})
