import { expect, test } from 'vitest'
import { toUtf8 } from '../bytes.ts'
import { contentOf, mailFrameOf } from './content.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'

const parse = (raw: string) => parseMail(new TextEncoder().encode(raw), defaultParseLimits)
const htmlMail = (html: string) => parse(`Content-Type: text/html; charset=utf-8\n\n${html}`)

test('the frame has the direction of the message', async () => {
  const mail = await htmlMail('<html dir="rtl" lang="he"><body><p><b>Wix</b></p><p>שלום</p></body></html>')
  expect(toUtf8(mailFrameOf(mail, 'html'))).toMatch(/<html dir="rtl">.*<body><div dir="rtl" lang="he"><div>/s)
  expect(contentOf(mail).dir).toBe('rtl')
})
