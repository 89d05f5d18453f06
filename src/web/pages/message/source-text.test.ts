import { expect, test } from 'vitest'
import { SOURCE_MAX_BYTES, sourceText } from './source-text.ts'

const latin = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (char) => char.charCodeAt(0))
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const shown = async (...parts: BlobPart[]) => (await sourceText(new Blob(parts))).text

test('is UTF-8', async () => {
  expect(await sourceText(new Blob([utf8('Subject: Grüße\r\n\r\n中文 ✓\r\n')]))).toEqual({
    text: 'Subject: Grüße\r\n\r\n中文 ✓\r\n',
    cut: false,
  })
  expect(await shown()).toBe('')
})

test('lines in another charset are shown byte by byte, those beside them stay', async () => {
  expect(await shown(latin('X: M\xe4rze \x80\r\n'), utf8('Subject: Grüße\r\n'), latin('na\xefve'))).toBe(
    'X: Märze €\r\nSubject: Grüße\r\nnaïve',
  )
  // 中文 in GBK.
  expect(await shown(latin('\xd6\xd0\xce\xc4'))).toBe('ÖÐÎÄ')
})

test('a line with few errors stays UTF-8, such as one that a server broke within a character', async () => {
  const line = utf8('中文中文中文')
  expect(await shown(line.subarray(0, 8), '\r\n', line.subarray(8))).toMatch(/^中文\uFFFD\r\n\uFFFD文中文$/)
})

test('has a limit, at which a character may be cut', async () => {
  const most = 'x'.repeat(SOURCE_MAX_BYTES - 1)
  expect(await sourceText(new Blob([most, 'y']))).toEqual({ text: `${most}y`, cut: false })
  expect(await sourceText(new Blob([most, utf8('ü')]))).toEqual({ text: most, cut: true })
})

test.each(['\xe4', '\n', '\xe4\n', '\xc3\xa4\xff'])(
  'the longest of nothing but %j takes linear time',
  { tags: ['slow'] },
  async (unit) => {
    const blob = new Blob([latin(unit.repeat(SOURCE_MAX_BYTES / unit.length))])
    const started = process.cpuUsage()
    await sourceText(blob)
    const { user } = process.cpuUsage(started)
    expect(user / 1000).toBeLessThan(1500)
  },
)
