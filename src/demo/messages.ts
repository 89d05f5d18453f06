import type { SendMailOptions } from 'nodemailer'

/** 1 x 1 pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const PARAGRAPH =
  'The ferry leaves at seven and takes forty minutes. On a clear day you can see the lighthouse from the upper deck, and on most other days you can at least hear it. '

/** Messages of many kinds, so that the demo shows every state of a row and of an open message. */
export const demoMessages: readonly SendMailOptions[] = [
  {
    from: '"Harbour Books" <accounts@harbour-books.example>',
    subject: '604218 is your Harbour Books code',
    text: 'Your verification code is 604218. It is valid for 15 minutes.',
    html: '<h1 style="font-family:Georgia">Welcome aboard</h1><p>Your verification code is</p><p style="font-size:34px;font-weight:bold">604218</p>',
  },
  {
    from: '"Quay Cloud" <no-reply@quay.example>',
    subject: 'Confirm your email address',
    text: 'Hello,\n\nplease confirm your address:\nhttps://quay.example/confirm?token=8fh2k1\n\nThe Quay team',
    html: '<p>Hello,</p><p>please confirm your address.</p><p><a href="https://quay.example/confirm?token=8fh2k1">Confirm email address</a></p>',
  },
  {
    from: '"Tide & Table" <orders@tide-table.example>',
    subject: 'Your receipt for order 2026-1107',
    text: 'Thank you! Two bowls of chowder, 24.80 in total. The receipt is attached.',
    attachments: [
      { filename: 'receipt-2026-1107.pdf', content: Buffer.from('%PDF-1.4\n%demo\n'), contentType: 'application/pdf' },
      { filename: 'table.png', content: PIXEL, contentType: 'image/png' },
    ],
  },
  {
    from: '"The Morning Gull" <news@gull.example>',
    subject: 'Seven small islands worth the detour',
    html: `<div style="max-width:600px;margin:auto;font-family:Georgia"><img src="https://gull.example/header.png" alt="A gull" width="600"><h1>Seven small islands</h1>${`<p>${PARAGRAPH}</p>`.repeat(6)}<p><a href="https://gull.example/unsubscribe">Unsubscribe</a></p></div>`,
    list: { unsubscribe: 'https://gull.example/unsubscribe' },
  },
  {
    from: '"海港书店" <service@haigang.example>',
    subject: '您的验证码是 391 074',
    text: '您好！\n\n您的验证码是 391074，15 分钟内有效。请勿告诉他人。',
  },
  {
    from: '"متجر الميناء" <care@mina.example>',
    subject: 'رمز التحقق الخاص بك',
    text: 'مرحبًا،\n\nرمز التحقق الخاص بك هو 725190 وهو صالح لمدة عشر دقائق.',
  },
  {
    from: '"Nora Lindqvist" <nora@lindqvist.example>',
    subject: 'Re: Re: The boat on Saturday',
    text: `Saturday works. Bring a jumper.\n\nNora\n\n> ${PARAGRAPH}\n> Shall we say nine at the pier?\n>> Is the boat free on Saturday?\n`,
  },
  {
    from: 'alerts@beacon.example',
    subject: 'New sign-in from Firefox on Linux',
    text: 'There was a new sign-in to your account.\n\nWas this you? If not, reset your password:\nhttps://beacon.example/reset?t=77ab21',
  },
  {
    from: '"Pilot" <hello@pilot.example>',
    subject:
      'A subject that somebody wrote in one go without thinking of small screens, and that goes on for longer than any row has room for',
    text: PARAGRAPH.repeat(30),
  },
  {
    from: '"Chart Room" <team@chart-room.example>',
    subject: 'The logo you asked for',
    html: '<p>Here it is:</p><p><img src="cid:logo" alt="Logo" width="64" height="64"></p>',
    attachments: [{ filename: 'logo.png', content: PIXEL, cid: 'logo' }],
  },
  {
    from: '"Mailer" <bounce@slow-relay.example>',
    subject: '',
    text: '',
  },
  {
    from: '"Buoy Bank" <secure@buoy-bank.example>',
    subject: 'Approve your payment of 48.20 EUR',
    text: 'Approve the payment of 48.20 EUR to Tide & Table with the card ending in 4417.\n\nYour one-time code: 88 31 46\n\nWe never ask for this code by phone.',
  },
]
