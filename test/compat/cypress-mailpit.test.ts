import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'
import { cypressCommands } from './cypress.ts'

let program: Program
beforeAll(async () => {
  program = await startProgram({ env: { MAYFLY_COMPAT: 'mailpit' } })
})
afterAll(() => program.stop())

const url = (): string => `${program.url}/compat/mailpit`

test('the commands of cypress-mailpit work, without credentials on this machine', async () => {
  const cy = await cypressCommands({ url: url() })
  const to = 'jane@mayfly.test'
  const message = { ...verificationMail(to), attachments: [{ filename: 'a.txt', content: 'a' }] }
  await cy.mailpitDeleteAllEmails!()
  await cy.mailpitNotHasEmailsByTo!(to)
  await sendMail(program.smtpPort, message)
  await cy.mailpitHasEmailsByTo!(to)
  await cy.mailpitHasEmailsBySubject!('Confirm')
  await cy.mailpitHasEmailsBySearch!('from:harbour.example')
  await cy.mailpitNotHasEmailsBySubject!('Goodbye')
  await cy.mailpitNotHasEmailsBySearch!('has:attachment -from:harbour.example')
  for (const list of [
    await cy.mailpitGetAllMails!(),
    await cy.mailpitSearchEmails!(`to:${to}`),
    await cy.mailpitGetEmailsBySubject!('Confirm'),
    await cy.mailpitGetEmailsByTo!(to),
  ])
    expect(list).toMatchObject({ messages_count: 1, messages: [{ Subject: message.subject, Read: false }] })

  const mail = await cy.mailpitGetMail!()
  expect(await cy.mailpitGetSubject!(mail)).toBe(message.subject)
  expect(await cy.mailpitGetRecipientAddress!(mail)).toEqual([to])
  expect(await cy.mailpitGetFromAddress!(mail)).toBe('no-reply@harbour.example')
  expect(await cy.mailpitGetAttachments!(mail)).toEqual(['a.txt'])
  expect(await cy.mailpitGetMailTextBody!(mail)).toContain('482913')
  expect(await cy.mailpitGetMailTextBody!(mail)).toBe(mail.Text)
  // These two build the URL with a second slash: "…//view/ID.html".
  expect(await cy.mailpitGetMailHTMlBody!(mail)).toBe(mail.HTML)

  const unread = async (): Promise<number> => (await cy.mailpitGetAllMails!()).unread
  expect(await unread()).toBe(0)
  expect(await cy.mailpitSetStatusAsUnRead!(mail)).toBe('ok')
  expect(await unread()).toBe(1)
  await cy.mailpitSetStatusAsRead!([mail])
  expect(await unread()).toBe(0)
  await cy.mailpitSetAllEmailStatusAsUnRead!()
  expect(await unread()).toBe(1)
  await cy.mailpitSetAllEmailStatusAsRead!()
  expect(await unread()).toBe(0)

  await expect(cy.mailpitGetMailSpamAssassinSummary!(mail)).rejects.toThrow('400 SpamAssassin is not enabled')
  await expect(cy.mailpitGetMailSpamAssainSummary!(mail)).rejects.toThrow('400 SpamAssassin is not enabled')
  await expect(cy.mailpitSendMail!()).rejects.toThrow('Messages cannot be sent here')
  await cy.mailpitDeleteEmailsBySearch!('subject:Confirm')
  await cy.mailpitNotHasEmailsByTo!(to)
})

test('the commands work with an address and its secret', async () => {
  const { address, secret } = await createAddress(program.url)
  const cy = await cypressCommands({ url: url(), username: address, password: secret })
  await sendMail(program.smtpPort, verificationMail(address))
  await cy.mailpitHasEmailsByTo!(address)
  expect((await cy.mailpitGetMail!()).To).toEqual([{ Name: '', Address: address }])
})
