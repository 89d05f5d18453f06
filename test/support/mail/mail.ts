import { createTransport, type SendMailOptions } from 'nodemailer'

/** Sends a message by SMTP as a mail server does. Rejects with the SMTP reply if it is refused. */
export async function sendMail(port: number, mail: SendMailOptions): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true, name: 'sender.example' })
  try {
    await transport.sendMail({ from: '"Harbour Bank" <no-reply@harbour.example>', ...mail })
  } finally {
    transport.close()
  }
}

/** A sign-up message with a code and a confirmation link, in text and HTML. */
export function verificationMail(to: string, code = '482913'): SendMailOptions {
  const link = 'https://harbour.example/confirm?token=f3a9c1d27b'
  return {
    to,
    subject: 'Confirm your e-mail address',
    text: `Welcome to Harbour Bank.\n\nYour verification code is ${code}\n\nOr confirm your address here:\n${link}\n\nThe code expires in 10 minutes.`,
    html: `<h1>Welcome to Harbour Bank</h1><p>Your verification code is</p><p style="font-size:32px"><b>${code}</b></p><p><a href="${link}">Confirm my address</a></p><p>The code expires in 10 minutes.</p>`,
  }
}
