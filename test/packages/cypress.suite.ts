import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import type { Program } from '#test/support/program/program.ts'
import { type Commands, createCypress } from './cypress.ts'
import type { Project } from './project.ts'

/** On a stand-in for Cypress, whose program is not an npm package. The tasks and the service are real. */
export function cypressSuite(context: () => { project: Project; program: Program }): void {
  let cy: Commands
  let end: () => Promise<unknown>
  let registerMayfly: (on: unknown, options: object) => void
  beforeAll(async () => {
    const { project, program } = context()
    const dist = join(project.directory, 'node_modules/@mayfly/cypress/dist')
    ;({ registerMayfly } = (await import(pathToFileURL(join(dist, 'index.js')).href)) as never)
    const cypress = createCypress()
    registerMayfly(cypress.on, { url: program.url })
    await import(pathToFileURL(join(dist, 'commands.js')).href)
    cy = cypress.commands
    end = cypress.end
  })
  afterAll(() => end())

  test('the commands create an inbox and wait for message, code and link', async () => {
    const { smtpPort } = context().program
    const inbox = await cy.createInbox!()
    expect(inbox).toEqual({ address: expect.stringMatching(/@mayfly\.test$/) })
    const waiting = cy.waitForCode!(inbox, { subject: /^confirm/i, timeout: 20_000 })
    await sendMail(smtpPort, { to: inbox.address, subject: 'Newsletter', text: 'Your code is 111111' })
    await sendMail(smtpPort, verificationMail(inbox.address))
    expect(await waiting).toBe('482913')
    expect(await cy.waitForLink!(inbox, { from: 'harbour', has: ['code'] })).toContain(
      'https://harbour.example/confirm',
    )
    const message = await cy.waitForMessage!(inbox, { body: 'verification code' })
    expect(message).toMatchObject({ code: '482913', text: expect.stringContaining('Welcome') })
    expect(await cy.waitForMessage!(inbox)).toMatchObject({ id: message.id })
  })

  test('errors say what arrived instead, or name the refusal', async () => {
    const inbox = await cy.createInbox!({ domain: 'dayfly.test', lifetime: 'ten-minutes' })
    await sendMail(context().program.smtpPort, { to: inbox.address, subject: 'Welcome', text: 'Hello' })
    await cy.waitForMessage!(inbox, { subject: 'Welcome' })
    await expect(cy.waitForCode!(inbox, { timeout: 0 })).rejects.toThrow(/"Welcome" from .+ does not match `has`/)
    await expect(cy.createInbox!({ login: 'postmaster' })).rejects.toThrow('login_reserved')
    await expect(cy.waitForCode!({ address: 'a@b.example' })).rejects.toThrow(
      'cy.createInbox() did not create a@b.example',
    )
  })

  test('an option that does not exist is named', async () => {
    const inbox = await cy.createInbox!()
    await sendMail(context().program.smtpPort, verificationMail(inbox.address))
    for (const name of ['waitForMessage', 'waitForCode', 'waitForLink'])
      await expect(cy[name]!(inbox, { subjct: /weekly/i })).rejects.toThrow(
        `${name}() has no option \`subjct\`. Did you mean \`subject\`?`,
      )
    await expect(cy.createInbox!({ lifetme: 'ten-minutes' })).rejects.toThrow('Did you mean `lifetime`?')
    expect(() => registerMayfly(() => {}, { apikey: 'x' })).toThrow('Did you mean `apiKey`?')
  })

  test('the inboxes are deleted after the spec file', async () => {
    const inbox = await cy.createInbox!()
    await end()
    await expect(sendMail(context().program.smtpPort, verificationMail(inbox.address))).rejects.toThrow('5.1.1')
    await expect(cy.waitForMessage!(inbox)).rejects.toThrow('did not create')
  })
}
