import { afterAll, expect, test } from 'vitest'
import { createReader } from './reader.ts'

const reader = createReader({ timeout: 3000, authenticationTimeout: 500 })
afterAll(() => reader.close())

const mail = (headers: string[], body: string): Buffer =>
  Buffer.concat([Buffer.from(`${headers.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)])

const multipart = (...parts: string[]): Buffer =>
  mail(['Content-Type: multipart/mixed; boundary=b'], `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`)

test('text beside HTML that is nested too deep is found', async () => {
  const raw = multipart('\r\nthe needle', `Content-Type: text/html\r\n\r\n${'<x>'.repeat(3000)}`)
  expect(await reader.contains(raw, ['needle', 'thread', 'THE'])).toEqual([true, false, true])
})

test('a regular expression is applied only to texts that are short enough for it', async () => {
  const wanted = '/(?:.?.?){39}[^ -~\\s]/'
  const [short, long] = [1000, 100_000].map((length) => mail([], `${'&'.repeat(length)}\xe9`))
  expect(await reader.contains(short!, [wanted])).toEqual([true])
  expect(await reader.contains(long!, [wanted, '/&[^&]/', '&&'])).toEqual([false, true, true])
})

test('texts between slashes are no regular expressions for a literal search, which may have hundreds of texts', async () => {
  const raw = mail([], 'see /usr/lib/ and b')
  const long = `/${'ab'.repeat(200)}/`
  const wanted = ['/USR/lib/', '/b/', long, ...Array.from({ length: 900 }, (_, i) => `/${i}.?/i`), 'B']
  const found = await reader.contains(raw, wanted, { as: 'text' })
  expect(wanted.filter((_, i) => found[i])).toEqual(['/USR/lib/', 'B'])
})

test('words are searched in what is visible, without case and accents', async () => {
  const html =
    '<style>.red{}</style><p class="blue">Your <b>par</b>cel is in Café&nbsp;Zürich</p><p style="display:none">secret</p>'
  const raw = mail(['Content-Type: text/html; charset=utf-8'], html)
  const wanted = ['PARCEL', 'CAFE', 'ZURICH', 'RED', 'BLUE', 'P', 'SECRET', 'STYLE']
  const found = await reader.contains(raw, wanted, { as: 'word' })
  expect(wanted.filter((_, i) => found[i])).toEqual(['PARCEL', 'CAFE', 'ZURICH', 'P'])
})
