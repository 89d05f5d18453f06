import { MailpitClient } from 'mailpit-api'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR } from '#core/time.ts'
import { SmtpConnection } from '#test/load/client.ts'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

/** The client of Mailpit, with nothing changed but its URL. */
let program: Program
let base: string
beforeAll(async () => {
  program = await startProgram({ env: { MAYFLY_COMPAT: 'mailpit' }, turnable: true })
  base = `${program.url}/compat/mailpit`
})
afterAll(() => program.stop())

async function ownMailbox(): Promise<{ address: string; secret: string; client: MailpitClient }> {
  const { address, secret } = await createAddress(program.url)
  return { address, secret, client: new MailpitClient(base, { auth: { username: address, password: secret } }) }
}

const refusal = (call: Promise<unknown>): Promise<string> => call.then(String, (error: Error) => error.message)

describe('mailpit-api', () => {
  let client: MailpitClient
  let address: string
  let secret: string
  beforeEach(async () => {
    ;({ client, address, secret } = await ownMailbox())
  })

  test('waits for a message and reads all of it', async () => {
    const content = 'a,b\n1,2\n'
    await sendMail(program.smtpPort, {
      ...verificationMail(address),
      to: `"Me" <${address}>`,
      cc: 'Kopié <copy@example.org>',
      replyTo: 'help@harbour.example',
      messageId: '<first@harbour.example>',
      list: { unsubscribe: 'https://harbour.example/off' },
      attachments: [{ filename: 'table.csv', content }],
    })
    const message = await client.waitForMessage({ query: 'subject:"confirm your"' }, { timeout: PATIENCE })
    expect(message).toMatchObject({
      MessageID: 'first@harbour.example',
      From: { Name: 'Harbour Bank', Address: 'no-reply@harbour.example' },
      To: [{ Name: 'Me', Address: address }],
      Cc: [{ Name: 'Kopié', Address: 'copy@example.org' }],
      Bcc: [],
      ReplyTo: [{ Address: 'help@harbour.example' }],
      ReturnPath: 'no-reply@harbour.example',
      Subject: 'Confirm your e-mail address',
      Tags: [],
      Username: '',
      Inline: [],
      ListUnsubscribe: { Links: ['https://harbour.example/off'], Errors: '' },
      Attachments: [
        {
          PartID: '0',
          FileName: 'table.csv',
          ContentType: 'text/csv',
          Size: content.length,
          Checksums: { MD5: 'e5ebd4c02cefbe7955977c67ada242b7', SHA1: expect.stringMatching(/^[0-9a-f]{40}$/) },
        },
      ],
    })
    expect(message.Text).toContain('482913')
    expect(message.HTML).toContain('Confirm my address')
    expect(await client.getMessageSummary()).toEqual(message)
    const headers = await client.getMessageHeaders(message.ID)
    expect(headers).toMatchObject({
      'Message-Id': ['<first@harbour.example>'],
      'Mime-Version': ['1.0'],
      Cc: ['=?UTF-8?Q?Kopi=C3=A9?= <copy@example.org>'],
      Received: [expect.stringMatching(/^from [^\r\n]+; [^\r\n]+$/)],
    })
    expect(await client.getMessageSource(message.ID)).toContain('Message-ID: <first@harbour.example>')
    const part = await client.getMessageAttachment(message.ID, '0')
    expect([part.type, await part.text()]).toEqual(['text/csv', content])
    expect(await client.renderMessageHTML()).toBe(message.HTML)
    expect(await client.renderMessageText(message.ID)).toBe(message.Text)
    expect(await refusal(client.getMessageSummary('01k0000000000000000000000x'))).toContain('404')
    expect(await refusal(client.getMessageAttachment(message.ID, '7'))).toContain('404')
  })

  test('lists, marks and deletes messages', async () => {
    expect(await refusal(client.getMessageSummary())).toContain('404')
    for (const subject of ['One', 'Two', 'Three'])
      await sendMail(program.smtpPort, { to: address, subject, text: `This is ${subject}` })
    const all = await client.waitForMessages({ count: 3, exact: true }, { timeout: PATIENCE })
    expect(all).toMatchObject({
      total: 3,
      unread: 3,
      count: 3,
      messages_count: 3,
      messages_unread: 3,
      start: 0,
      tags: [],
    })
    expect(all.messages.map(({ Subject }) => Subject)).toEqual(['Three', 'Two', 'One'])
    expect(all.messages[0]).toMatchObject({
      Read: false,
      Snippet: 'This is Three',
      Attachments: 0,
      To: [{ Address: address }],
    })
    expect((await client.listMessages(1, 1)).messages).toMatchObject([{ Subject: 'Two' }])

    const [three, two] = all.messages
    await client.getMessageSummary(three!.ID)
    expect(await client.listMessages()).toMatchObject({ total: 3, unread: 2 })
    expect(await client.setReadStatus({ IDs: [two!.ID, three!.ID, 'nothing'], Read: true })).toBe('ok')
    expect((await client.searchMessages({ query: 'is:unread' })).messages).toMatchObject([{ Subject: 'One' }])
    await client.setReadStatus({ Search: 'subject:Three', Read: false })
    expect((await client.searchMessages({ query: '!is:unread' })).messages).toMatchObject([{ Subject: 'Two' }])
    await client.setReadStatus({ Read: true })
    expect(await client.listMessages()).toMatchObject({ unread: 0 })
    await client.setReadStatus()
    expect(await client.listMessages()).toMatchObject({ unread: 3 })
    expect(await refusal(client.setReadStatus({ IDs: ['a'], Search: 'b' }))).toContain('not both')

    expect(await client.deleteMessages({ IDs: [two!.ID] })).toBe('ok')
    expect(await client.deleteMessagesBySearch({ query: 'subject:One' })).toBe('ok')
    expect((await client.listMessages()).messages).toMatchObject([{ Subject: 'Three' }])
    await client.deleteMessages()
    expect(await client.listMessages()).toMatchObject({ total: 0, messages: [] })
  })

  test('searches', async () => {
    await sendMail(program.smtpPort, {
      from: 'Shop <orders@shop.example>',
      to: address,
      subject: 'Your order',
      text: 'A red bicycle',
      attachments: [{ filename: 'invoice.pdf', content: 'x'.repeat(3000) }],
    })
    await sendMail(program.smtpPort, {
      from: 'friend@home.example',
      to: `Other <other@example.org>`,
      subject: 'Hello there, İzmir',
      text: 'A blue car, ΛΟΓΑΡΙΑΣΜΟΣ',
      envelope: { from: 'friend@home.example', to: address },
    })
    await client.waitForMessages({ count: 2 }, { timeout: PATIENCE })
    const order = ['Your order']
    const hello = ['Hello there, İzmir']
    const both = [...hello, ...order]
    const cases: [string, string[]][] = [
      ['from:shop.example', order],
      ['-from:shop.example', hello],
      [`to:${address}`, order],
      [`bcc:${address}`, hello],
      [`addressed:"other"`, hello],
      ['to:other@example.org', hello],
      ['subject:"hello there"', hello],
      ['subject:IZMIR', hello],
      ['subject:hello subject:order', []],
      ['has:attachment', order],
      ['!has:attachments', hello],
      ['is:read', []],
      ['is:unread', both],
      ['tag:anything', []],
      ['-tag:anything -is:tagged', both],
      ['larger:2kb', order],
      ['smaller:2kb', hello],
      ['after:2020-01-01 before:2099-12-31', both],
      ['before:2020-01-01', []],
      ['bicycle', order],
      ['"blue car"', hello],
      ['λογαριας', hello],
      ['-bicycle', hello],
      ['invoice', order],
      ['/b.*e/', []],
    ]
    for (const [query, subjects] of cases) {
      const found = await client.searchMessages({ query })
      expect([query, found.messages.map(({ Subject }) => Subject)]).toEqual([query, subjects])
      expect(found).toMatchObject({ messages_count: subjects.length, total: 2 })
    }
    const authorization = `Basic ${btoa(`${address}:${secret}`)}`
    const latest = await fetch(`${base}/api/v1/message/latest/raw?query=from:shop`, { headers: { authorization } })
    expect(await latest.text()).toContain('Your order')
    for (const query of [' ', 'after:never', 'larger:much', 'has:inline'])
      expect(await refusal(client.searchMessages({ query }))).toContain('Mailpit API Error: 400')
    expect(await refusal(client.searchMessages({ query: 'after:2026-01-01', tz: 'Nowhere' }))).toContain(
      'not a time zone',
    )
    await client.searchMessages({ query: 'after:2026-01-01', tz: 'Pacific/Auckland' })
  })

  test('says what it is, and what it cannot do', async () => {
    await sendMail(program.smtpPort, verificationMail(address))
    const { ID: id } = await client.waitForMessage({ query: 'confirm' }, { timeout: PATIENCE })
    expect(await client.getInfo()).toMatchObject({ Version: 'mayfly', Messages: 1, Unread: 0, Tags: {} })
    expect(await client.getConfiguration()).toMatchObject({
      MessageRelay: { Enabled: false },
      SpamAssassin: false,
      ChaosEnabled: false,
    })
    expect(await client.getTags()).toEqual([])
    const refused: [() => Promise<unknown>, string][] = [
      [
        () => client.sendMessage({ From: { Email: 'a@example.org' }, To: [{ Email: address }] }),
        'send them to the SMTP port',
      ],
      [() => client.releaseMessage(id, { To: ['a@example.org'] }), 'never sends'],
      [() => client.getAttachmentThumbnail(id, '0'), 'Thumbnails'],
      [() => client.spamAssassinCheck(id), 'SpamAssassin is not enabled'],
      [() => client.setTags({ IDs: [id], Tags: ['a'] }), 'Tags'],
      [() => client.renameTag('a', 'b'), 'Tags'],
      [() => client.deleteTag('a'), 'Tags'],
      [() => client.getChaosTriggers(), 'Chaos is not enabled'],
      [() => client.setChaosTriggers(), 'Chaos is not enabled'],
    ]
    for (const [call, reason] of refused)
      expect(await refusal(call())).toMatch(new RegExp(`^Mailpit API Error: 400 .*${reason}`))
    const unknown = await fetch(`${base}/api/v1/nothing`)
    expect([unknown.status, await unknown.text()]).toEqual([404, '404 page not found'])
  })
})

describe('credentials', () => {
  test('are the address and its secret, and nothing else', async () => {
    const { address, secret, client } = await ownMailbox()
    const other = await ownMailbox()
    await client.listMessages()
    for (const [username, password] of [
      [address, 'wrong'],
      [address, other.secret],
      [other.address, secret],
      ['', secret],
    ] as const) {
      const refused = await refusal(new MailpitClient(base, { auth: { username, password } }).listMessages())
      expect(refused).toMatch(/401 .*Unauthorised/)
    }
    const bearer = await fetch(`${base}/api/v1/messages`, { headers: { authorization: `Bearer ${secret}` } })
    expect([bearer.status, bearer.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="Login", charset="UTF-8"',
    ])
    await fetch(`${program.url}/api/v1/address`, { method: 'DELETE', headers: { authorization: `Bearer ${secret}` } })
    expect(await refusal(client.listMessages())).toContain('401')
  })
})

describe('without credentials', () => {
  const client = (): MailpitClient => new MailpitClient(base)

  test('programs on this machine get the messages to all logins without an address', async () => {
    const { address } = await ownMailbox()
    await sendMail(program.smtpPort, { to: address, subject: 'Private', text: 'x' })
    for (const to of ['anybody@mayfly.test', 'Somebody+tag@dayfly.test'])
      await sendMail(program.smtpPort, { to, subject: `To ${to}`, text: 'x' })
    const found = await client().waitForMessages({ count: 2 }, { timeout: PATIENCE })
    expect(found.messages.map(({ Subject }) => Subject)).toEqual([
      'To Somebody+tag@dayfly.test',
      'To anybody@mayfly.test',
    ])
    expect((await client().searchMessages({ query: 'to:anybody@' })).messages).toHaveLength(1)
    await expect(sendMail(program.smtpPort, { to: 'anybody@example.org', text: 'x' })).rejects.toThrow('550 5.7.1')
    // Without a body, all messages become unread.
    const unread = await fetch(`${base}/api/v1/messages`, { method: 'PUT' })
    expect([unread.status, await unread.text()]).toEqual([200, 'ok'])
    await client().deleteMessages()
    expect(await client().listMessages()).toMatchObject({ total: 0 })
  })

  test('without ids, all messages are marked and deleted, also those beyond the newest 500', async () => {
    const connection = await SmtpConnection.open({ port: program.smtpPort })
    for (let i = 0; i < 502; i++)
      await connection.send('a@sender.example', 'anybody@mayfly.test', Buffer.from(`Subject: ${i}\r\n\r\nx\r\n`))
    connection.quit()
    await client().setReadStatus({ Read: true })
    await client().deleteMessagesBySearch({ query: 'subject:501' })
    expect(await client().listMessages()).toMatchObject({ total: 500, unread: 0 })
    await client().deleteMessages()
    expect(await client().listMessages()).toMatchObject({ total: 0 })
  })

  test.each([
    ['came through a proxy', { 'x-forwarded-for': '203.0.113.7' }],
    ['come from another site', { origin: 'https://evil.example' }],
    ['are for an image of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('requests that %s get nothing', async (_name, headers) => {
    expect((await fetch(`${base}/api/v1/messages`, { headers })).status).toBe(401)
  })

  test('the mailbox goes on after a day without a visit', async () => {
    const send = (subject: string): Promise<void> =>
      sendMail(program.smtpPort, { to: 'anybody@mayfly.test', subject, text: 'x' })
    await send('Before')
    await client().waitForMessages({ query: 'subject:Before' }, { timeout: PATIENCE })
    await program.turn(25 * HOUR, { passes: true })
    await Promise.all(['One', 'Two', 'Three'].map(send))
    const { messages } = await client().waitForMessages({ count: 3 }, { timeout: PATIENCE })
    expect(messages.map(({ Subject }) => Subject).toSorted()).toEqual(['One', 'Three', 'Two'])
  })
})
