import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { safeFilename } from '#core/file-name.ts'
import { fromUtf8 } from '../bytes.ts'
import { archiveOf } from './archive.ts'
import { listAttachments } from './attachments.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'

test('contains every attachment under a safe name of its own', async () => {
  const names = ['a.txt', 'A.TXT', '../../etc/passwd', 'con', '__proto__', 'a.txt']
  const parts = names.map(
    (name, i) => `--b\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nfile ${i}\r\n`,
  )
  const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`
  const files = unzipSync(archiveOf(await parseMail(fromUtf8(raw), defaultParseLimits)))
  expect(Object.keys(files)).toEqual(['a.txt', 'A (2).TXT', 'passwd', '_con', '__proto__ (2)', 'a (3).txt'])
  expect(Object.values(files).map((file) => strFromU8(file).trim())).toEqual(names.map((_name, i) => `file ${i}`))
})

test('names the files so that file systems accept them, which allow 255 bytes', async () => {
  const part = `--b\r\nContent-Disposition: attachment; filename="${'文書'.repeat(200)}.pdf"\r\n\r\nx\r\n`
  const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(12)}--b--\r\n`
  const mail = await parseMail(fromUtf8(raw), defaultParseLimits)
  const names = Object.keys(unzipSync(archiveOf(mail)))
  expect(names).toHaveLength(12)
  expect(Math.max(...names.map((name) => fromUtf8(name).length))).toBeLessThan(255)
  expect(names.at(-1)).toMatch(/^[文書]+ \(12\)\.pdf$/)
  for (const { info } of listAttachments(mail)) expect(safeFilename(info.filename)).toBe(info.filename)
})
