import { fromUtf8 } from '../bytes.ts'
import { contentOf, mailFrameOf, outlineOf } from './content.ts'
import { firstLook } from './first-look.ts'
import { defaultParseLimits, type ParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'

/** What a thread that parses messages is for: first looks at received ones, or opening them. Both can run all jobs. */
export type ParserUse = 'look' | 'open'

/** The input of a thread that parses messages. */
export interface ParserData {
  limits: ParseLimits
  use: ParserUse
}

const SAMPLE = `From: Mayfly <a@mayfly.test>
Subject: Your code
Content-Type: multipart/alternative; boundary=b

--b

Your code is 482913
--b
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p>Your code is <b>482913</b> <a href=3D"https://mayfly.test/confirm">Confirm</a></p>
--b
Content-Type: application/pdf
Content-Transfer-Encoding: base64

QUJD
--b--
`
const ENVELOPE = { mailFrom: '', recipient: '', helo: '', clientAddress: '', tls: false, receivedAt: 0 }
const ROUNDS = 5

/**
 * Processes a sample message, so that the code a thread needs is loaded and compiled before its first job. Without this,
 * the first job takes dozens of times as long as the second. A visitor may wait for a thread that opens messages, so it
 * skips the search for codes, whose table of words takes longest to build.
 */
export async function warmUp(use: ParserUse): Promise<void> {
  const raw = fromUtf8(SAMPLE)
  for (let i = 0; i < ROUNDS; i++) {
    if (use === 'look') {
      await firstLook(raw, ENVELOPE, defaultParseLimits)
    } else {
      const mail = await parseMail(raw, defaultParseLimits)
      outlineOf(contentOf(mail))
      mailFrameOf(mail, 'html')
    }
  }
}
