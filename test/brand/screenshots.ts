import { join } from 'node:path'
import { openStage } from '../e2e/stage.ts'

/*
 * Makes the pictures of the app, for its manifest and the page about it, from the running program.
 * `npm run build && node test/brand/screenshots.ts` writes them to public/.
 */
const PUBLIC = join(import.meta.dirname, '../../public')
const MAILS = [
  { from: 'Harbor Books <orders@harbor.example>', subject: 'Your order has shipped', text: 'It arrives on Friday.' },
  { from: 'Larkspur <hello@larkspur.example>', subject: 'Welcome to Larkspur', text: 'Thanks for signing up.' },
  { from: 'Northwind <no-reply@northwind.example>', subject: 'Your code', text: 'Your verification code is 604218.' },
]
const PICTURES = [
  { name: 'screenshot-wide.png', viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
  { name: 'screenshot-narrow.png', viewport: { width: 360, height: 720 }, deviceScaleFactor: 2 },
]

const stage = await openStage({ env: { MAYFLY_DOMAINS: 'mayfly.example' } })
for (const { name, ...screen } of PICTURES) {
  const { page, send } = await stage.visit(screen)
  for (const { subject, ...rest } of MAILS) {
    await send(subject, rest)
    await page.getByRole('link', { name: subject }).first().waitFor()
  }
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(PUBLIC, name), animations: 'disabled' })
}
await stage.close()
