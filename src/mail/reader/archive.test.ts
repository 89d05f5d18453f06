import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { fromUtf8 } from '../bytes.ts'
import { archiveOf } from './archive.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'

test('contains every attachment under a safe name of its own', async () => {
  const names = ['a.txt', 'A.TXT', '../../etc/passwd', 'con', 'a.txt']
  const parts = names.map(
    (name, i) => `--b\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nfile ${i}\r\n`,
  )
  const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`
  const files = unzipSync(archiveOf(await parseMail(fromUtf8(raw), defaultParseLimits)))
  expect(Object.keys(files)).toEqual(['a.txt', 'A (2).TXT', 'passwd', '_con', 'a (3).txt'])
  expect(Object.values(files).map((file) => strFromU8(file).trim())).toEqual(names.map((_name, i) => `file ${i}`))
})
