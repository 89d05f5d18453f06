// An application with a sign-up by email, to be tested. It sends a code and asks for it.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:http'
import { createTransport } from 'nodemailer'

const { APP_PORT = '4000', SMTP_PORT = '2525' } = process.env
const smtp = createTransport({ host: '127.0.0.1', port: Number(SMTP_PORT) })
/** The codes that were sent, by email address. */
const codes = new Map()

const page = (title, body) =>
  `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><form method="post">${body}</form></html>`
const signUp = page('Sign up', '<label>Email <input name="email" type="email"></label><button>Send code</button>')
const enterCode = page('Enter the code', '<label>Code <input name="code"></label><button>Confirm</button>')

createServer(async (request, response) => {
  const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const show = (status, html) => response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  if (pathname === '/sign-up' && request.method === 'POST') {
    const email = form.get('email')
    const code = String(randomInt(100_000, 1_000_000))
    codes.set(email, code)
    await smtp.sendMail({
      from: 'Sample <noreply@sample.example>',
      to: email,
      subject: 'Confirm your email address',
      text: `Your verification code is ${code}`,
      html: `<p>Your verification code is <b>${code}</b></p>`,
    })
    response.writeHead(303, { location: `/confirm?email=${encodeURIComponent(email)}` }).end()
  } else if (pathname === '/sign-up') show(200, signUp)
  else if (pathname === '/confirm' && request.method === 'POST') {
    const isRight = codes.get(searchParams.get('email')) === form.get('code')
    show(isRight ? 200 : 403, page(isRight ? 'Welcome' : 'Wrong code', ''))
  } else if (pathname === '/confirm') show(200, enterCode)
  else show(404, page('Not found', ''))
}).listen(Number(APP_PORT))
