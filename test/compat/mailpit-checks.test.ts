import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MailpitClient } from 'mailpit-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeRspamd, startFakeRspamd } from '#test/support/fakes/rspamd.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

let rspamd: FakeRspamd
let program: Program
let site: Server
const opened: string[] = []
beforeAll(async () => {
  rspamd = await startFakeRspamd()
  program = await startProgram({ env: { MAYFLY_COMPAT: 'mailpit', MAYFLY_RSPAMD_URL: rspamd.url } })
  site = createServer((request, response) => {
    opened.push(request.url ?? '')
    if (request.url === '/moved') response.writeHead(301, { location: '/gone' })
    else if (request.url === '/gone') response.writeHead(404)
    response.end()
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  site.close()
  await program.stop()
  await rspamd.close()
})

test('the checks of Mailpit: HTML, links and spam', async () => {
  const client = new MailpitClient(`${program.url}/compat/mailpit`)
  const link = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  await sendMail(program.smtpPort, {
    to: 'anybody@mayfly.test',
    subject: 'Win money',
    html: `<p style="display: flex"><a href="${link}/ok">A</a><a href="${link}/moved">B</a><a href="${link}/gone">C</a></p>`,
  })
  await client.waitForMessage({ query: 'money' }, { timeout: PATIENCE })
  const html = await client.htmlCheck()
  const { Supported, Partial, Unsupported } = html.Total
  expect(Supported + Partial + Unsupported).toBeCloseTo(100)
  expect(html.Platforms).toMatchObject({ windows: ['outlook'] })
  const flex = html.Warnings.find(({ Slug }) => Slug === 'css-display-flex')
  expect(flex).toMatchObject({
    Category: 'css',
    Score: { Found: 1 },
    Results: expect.arrayContaining([
      expect.objectContaining({ Family: 'outlook', Platform: 'windows', Support: 'no' }),
      expect.objectContaining({ Family: 'gmail', Platform: 'ios', Support: 'partial' }),
      expect.objectContaining({ Family: 'apple-mail', Platform: 'ios', Support: 'yes' }),
    ]),
  })
  expect(opened).toEqual([])
  expect(await client.linkCheck()).toEqual({
    Errors: 1,
    Links: [
      { URL: `${link}/ok`, StatusCode: 200, Status: 'OK' },
      { URL: `${link}/moved`, StatusCode: 301, Status: 'Moved Permanently' },
      { URL: `${link}/gone`, StatusCode: 404, Status: 'Not Found' },
    ],
  })
  expect(await client.linkCheck('latest', true)).toMatchObject({ Errors: 2 })
  expect(await client.getConfiguration()).toMatchObject({ SpamAssassin: true })
  expect(await client.spamAssassinCheck()).toMatchObject({
    Error: '',
    IsSpam: true,
    Score: 12,
    Rules: [{ Name: 'SPAMMY_SUBJECT', Score: 12 }],
  })
  rspamd.faults.fail(500, 1)
  expect(await client.spamAssassinCheck()).toEqual({
    Error: 'The spam filter answered with the status 500.',
    IsSpam: false,
    Score: 0,
    Rules: null,
  })
})
