import { expect, test } from 'vitest'
import { mail } from '#test/fixtures/mail/build.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { endOfBase64 } from './base64.ts'
import { contentOf } from './content.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')
const FOOTER = '_____________________________\nList mailing list\nList@x.example'

async function read(body: string, type = 'text/plain; charset=utf-8'): Promise<string | undefined> {
  const raw = mail([`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64'], body.replace(/\r?\n/g, '\r\n'))
  return contentOf(await parseMail(raw, defaultParseLimits))
    .text?.trimEnd()
    .replace(/\n+/g, '\n')
}

const LONG = `${'Grüße und mehr Text. '.repeat(10)}end`

test.each([
  ['a list', '\n', FOOTER],
  ['a list after an empty line', '\n\n', FOOTER],
  ['a gateway', '\n\n', 'Disclaimer\n\nThis message is confidential.'],
  ['words only', '\n\n', 'sent from my phone'],
])('text in Base64 ends before the footer of %s', async (_what, gap, footer) => {
  // With two, one and no characters of padding.
  for (const text of ['x', 'xy', 'xyz', LONG, `${LONG}1`, `${LONG}12`]) {
    const encoded = base64(text)
    if (!encoded.endsWith('=') && gap === '\n') continue
    expect(await read(`${encoded}${gap}${footer}\n`)).toBe(`${text}\n${footer.replace('\n\n', '\n')}`)
  }
  expect(await read(`${base64(LONG)}\n\n${footer}\n`, 'text/plain')).toBe(`${LONG}\n${footer.replace('\n\n', '\n')}`)
})

test.each([
  ['padding in each line', 'eA==\neQ==\neno=\n', 'xyzz'],
  ['padding within', 'eA==eQ==\n', 'xy'],
  ['padding in a line of its own', 'eA\n==\n', 'x'],
  ['empty lines', '\n\neHl6\n\neHl6\n\n', 'xyzxyz'],
  ['spaces around', ' eHl6 \n\teHl6\t\n', 'xyzxyz'],
  ['a wrong character', 'eH!l6\neHl6\n', 'xyzxyz'],
  ['spaces within after an empty line', 'eHl6\n\neHl6 eHl6 eHl6\n', 'xyzxyzxyzxyz'],
  ['spaces within after padding', 'eA==\ncode IDEy MzQ1Ng==\n'.replace('code', 'Y29k ZQ=='), 'xcode 123456'],
])('all of Base64 with %s is decoded', async (_what, body, text) => expect(await read(body)).toBe(text))

test.each(['=\n', 'A\n', '\n', 'A=', 'A A\n', 'eHl6 ', 'eHl6 eHl6\n'])('finds the end of %j in linear time', (line) => {
  const lines = new Uint8Array(Buffer.from(`eA==\n${line.repeat(500_000)}`))
  expect(cpuTime(() => endOfBase64(lines))).toBeLessThan(400)
})
