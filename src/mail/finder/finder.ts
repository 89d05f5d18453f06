import { htmlToText } from '../html/to-text.ts'

export interface FinderInput {
  subject: string
  fromAddress: string
  fromName: string
  text: string | null
  html: string | null
}

export interface Found {
  code: string | null
  link: string | null
}

const CODE_CUE = /code|验证码|驗證碼|passcode|otp|pin\b/i
const CODE = /(?<![\w-])(\d{4,8})(?![\w-])/
const LINK = /https?:\/\/[^\s<>"']*(?:confirm|verif|activate)[^\s<>"']*/i

/** Finds the one-time code and the confirmation link of a mail; null rather than a guess. */
export function findCodeAndLink({ subject, text, html }: FinderInput): Found {
  const body = text ?? (html === null ? '' : htmlToText(html))
  const lines = `${subject}\n${body}`.split('\n')
  const at = lines.findIndex((line) => CODE_CUE.test(line))
  const near = at === -1 ? '' : lines.slice(at, at + 3).join('\n')
  return { code: CODE.exec(near)?.[1] ?? null, link: LINK.exec(`${text ?? ''}\n${html ?? ''}`)?.[0] ?? null }
}
