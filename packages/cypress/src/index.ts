/** Runs in the Node process of Cypress, from `setupNodeEvents`. */
import {
  checkNames,
  createInbox,
  type CreateOptions,
  type Inbox,
  type Pattern,
  type ServiceOptions,
  type WaitOptions,
} from '@mayfly/client'
import type { SentPattern, TaskInput } from './types.ts'

export type { Conditions, CypressInbox } from './types.ts'

export type MayflyOptions = Pick<ServiceOptions, 'url' | 'apiKey'>

/** Milliseconds. A service that hangs must not fail a spec file whose tests passed. */
const DELETE_TIMEOUT = 5000

/** As Cypress declares them. */
type Tasks = Record<string, (input: any) => Promise<unknown>>

const received = (pattern: SentPattern): Pattern =>
  typeof pattern === 'object' && 'source' in pattern ? new RegExp(pattern.source, pattern.flags) : pattern

/**
 * Registers the tasks of the commands with the `on` of `setupNodeEvents`. The secrets of inboxes stay in this process;
 * the tests know their addresses.
 */
export function registerMayfly(on: (event: 'task', tasks: Tasks) => unknown, options: MayflyOptions = {}): void {
  checkNames('registerMayfly', options, ['url', 'apiKey'])
  const inboxes = new Map<string, Inbox>()

  /** Calls the inbox of an address. `cy.task` shows the messages of errors. */
  const withInbox =
    <T>(use: (inbox: Inbox, conditions: WaitOptions) => Promise<T>) =>
    ({ address, from, to, subject, body, ...rest }: TaskInput): Promise<T> => {
      const inbox = inboxes.get(address)
      if (!inbox) throw new Error(`cy.createInbox() did not create ${address} in this spec file`)
      const patterns = Object.entries({ from, to, subject, body }).flatMap(([name, pattern]) =>
        pattern === undefined || pattern === null ? [] : [[name, received(pattern)]],
      )
      return use(inbox, { ...rest, ...Object.fromEntries(patterns) })
    }

  on('task', {
    async 'mayfly:createInbox'(create: CreateOptions) {
      const inbox = await createInbox({ ...options, ...create })
      inboxes.set(inbox.address, inbox)
      return { address: inbox.address }
    },
    'mayfly:waitForMessage': withInbox((inbox, conditions) => inbox.waitForMessage(conditions)),
    'mayfly:waitForCode': withInbox((inbox, conditions) => inbox.waitForCode(conditions)),
    'mayfly:waitForLink': withInbox((inbox, conditions) => inbox.waitForLink(conditions)),
    async 'mayfly:deleteInboxes'() {
      // An inbox that can't be deleted expires.
      const signal = AbortSignal.timeout(DELETE_TIMEOUT)
      await Promise.allSettled([...inboxes.values()].map((inbox) => inbox.delete({ signal })))
      inboxes.clear()
      // A task must not return undefined.
      return null
    },
  })
}
