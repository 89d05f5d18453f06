import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { createTransport } from 'nodemailer'
import { type Command, UsageError } from './command.ts'

/** Returns a sign-up email as a web shop would send it, with a code and a link. */
function testMail(to: string, code: string) {
  const link = `https://harbour-books.example/account/confirm?token=${randomInt(2 ** 47).toString(36)}`
  return {
    from: '"Harbour Books" <accounts@harbour-books.example>',
    to,
    subject: 'Confirm your e-mail address',
    text: `Welcome to Harbour Books!\n\nYour verification code is ${code}\n\nOr confirm your address with this link:\n${link}\n\nThe code is valid for 15 minutes. If you did not sign up, ignore this mail.\n`,
    html: `<div style="max-width:480px;margin:auto;font-family:Georgia,serif;color:#1f2d3a">
<h1 style="font-size:24px">Welcome to Harbour Books!</h1>
<p>Your verification code is</p>
<p style="font-size:34px;letter-spacing:6px;font-weight:bold;background:#f2ede3;padding:16px;text-align:center">${code}</p>
<p>Or confirm your address with one click:</p>
<p style="text-align:center"><a href="${link}" style="background:#24506b;color:#fff;padding:12px 28px;border-radius:6px;text-decoration:none">Confirm my address</a></p>
<p style="color:#667;font-size:13px">The code is valid for 15 minutes. If you did not sign up, ignore this mail.</p></div>`,
  }
}

export const sendTest: Command = {
  usage: 'send-test ADDRESS [--host HOST] [--port PORT]',
  about: 'Send a realistic verification email by SMTP',
  async run({ args, print, smtp }) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { host: { type: 'string' }, port: { type: 'string' } },
    })
    const [to, ...more] = positionals
    if (to === undefined || more.length > 0) throw new UsageError(`Usage: mayfly ${this.usage}`)
    const port = values.port === undefined ? smtp.port : Number(values.port)
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new UsageError('--port must be a number from 1 to 65535')
    const code = String(randomInt(100_000, 1_000_000))
    const transport = createTransport({
      host: values.host ?? smtp.host,
      port,
      name: 'mail.harbour-books.example',
      tls: { rejectUnauthorized: false },
    })
    try {
      await transport.sendMail(testMail(to, code))
    } finally {
      transport.close()
    }
    print(`Sent to ${to}; the code is ${code}`)
  },
}
