/** Runs in the browser. Import it in the support file. */
import type { CreateOptions, Message, Pattern } from '@mayfly/client'
import type { Conditions, CypressInbox, SentPattern, TaskInput } from './types.ts'

declare global {
  namespace Cypress {
    // The parameter must have the same name and default as in the declaration of Cypress.
    interface Chainable<Subject = any> {
      /** Creates an inbox, which is deleted after the spec file. */
      createInbox(options?: Pick<CreateOptions, 'login' | 'domain' | 'lifetime'>): Chainable<CypressInbox>
      /** Waits for the newest matching message, which may have arrived before. */
      waitForMessage(inbox: CypressInbox, conditions?: Conditions): Chainable<Message>
      /** Waits for a message with a one-time code and yields the code. */
      waitForCode(inbox: CypressInbox, conditions?: Conditions): Chainable<string>
      /** Waits for a message with a confirmation link and yields the link. */
      waitForLink(inbox: CypressInbox, conditions?: Conditions): Chainable<string>
    }
  }
}

/** What is used of the globals of Cypress and Mocha. The package `cypress` declares all of it. */
declare const Cypress: { Commands: { add(name: string, command: (...args: never[]) => unknown): void } }
declare const cy: {
  task(event: string, argument: object | null, options?: { timeout?: number; log?: boolean }): unknown
}
declare const after: (hook: () => unknown) => void

/** Milliseconds. */
const DEFAULT_TIMEOUT = 30_000
/** The command must not end before the task, which explains why no message arrived. Milliseconds. */
const MARGIN = 10_000

const sent = (pattern: Pattern): SentPattern =>
  pattern instanceof RegExp ? { source: pattern.source, flags: pattern.flags } : pattern

function taskInput({ address }: CypressInbox, { from, to, subject, body, ...rest }: Conditions): TaskInput {
  const patterns = Object.entries({ from, to, subject, body }).flatMap(([name, pattern]) =>
    pattern === undefined || pattern === null ? [] : [[name, sent(pattern)]],
  )
  return { address, ...rest, ...Object.fromEntries(patterns) }
}

Cypress.Commands.add('createInbox', (options: object = {}) => cy.task('mayfly:createInbox', options))
for (const name of ['waitForMessage', 'waitForCode', 'waitForLink']) {
  Cypress.Commands.add(name, (inbox: CypressInbox, conditions: Conditions = {}) =>
    cy.task(`mayfly:${name}`, taskInput(inbox, conditions), {
      timeout: (conditions.timeout ?? DEFAULT_TIMEOUT) + MARGIN,
    }),
  )
}
after(() => cy.task('mayfly:deleteInboxes', null, { log: false }))
