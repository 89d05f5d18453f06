import { randomBytes } from 'node:crypto'
import { isGone } from '#client/errors.ts'
import { createInbox, type CreateOptions, type Inbox, MayflyError, type ServiceOptions } from '#client/index.ts'

/** If there are more, the oldest one is deleted. */
const INBOXES_MAX = 1000

/**
 * The inboxes that this process created. Their secrets stay in it; tools refer to an inbox by a random id, so that
 * programs that share a server over HTTP can't read each other's inboxes.
 */
export class Inboxes {
  readonly #byId = new Map<string, Inbox>()
  /** Inboxes that are being created. */
  readonly #creating = new Set<Promise<{ id: string }>>()
  #isEnding = false
  readonly #service: ServiceOptions

  constructor(service: ServiceOptions) {
    this.#service = service
  }

  async create(options: CreateOptions): Promise<{ id: string; address: string }> {
    if (this.#isEnding) throw new Error('This server is ending')
    const creating = this.#create(options)
    this.#creating.add(creating)
    try {
      return await creating
    } finally {
      this.#creating.delete(creating)
    }
  }

  async #create(options: CreateOptions): Promise<{ id: string; address: string }> {
    const inbox = await this.#request(options)
    const id = randomBytes(12).toString('base64url')
    this.#byId.set(id, inbox)
    const [oldest] = this.#byId.entries()
    if (this.#byId.size > INBOXES_MAX && oldest) {
      this.forget(oldest[0])
      // It may have expired, which must not make the new one fail.
      await oldest[1].delete().catch(() => {})
    }
    return { id, address: inbox.address }
  }

  /** Creates an address. If the service has no room, the oldest inbox gives way. */
  async #request(options: CreateOptions): Promise<Inbox> {
    for (;;) {
      try {
        return await createInbox({ ...options, ...this.#service })
      } catch (error) {
        const isFull = error instanceof MayflyError && error.code === 'addresses_full'
        if (!isFull || !(await this.#deleteOldest())) throw error
      }
    }
  }

  /** Deletes the oldest inbox that still exists. Returns false if there is none, or if it can't be deleted. */
  async #deleteOldest(): Promise<boolean> {
    for (const [id, inbox] of this.#byId) {
      const result = await inbox.delete().then(
        () => 'deleted' as const,
        (error: unknown) => (isGone(error) ? 'gone' : 'failed'),
      )
      if (result === 'failed') return false
      this.forget(id)
      if (result === 'deleted') return true
    }
    return false
  }

  get(id: string): Inbox {
    const inbox = this.#byId.get(id)
    if (!inbox)
      throw new Error(
        'There is no inbox with this inboxId: it was deleted, or this server was restarted. Create another',
      )
    return inbox
  }

  forget(id: string): void {
    this.#byId.delete(id)
  }

  /** If the service can't delete it, it is still there, and is deleted later. */
  async delete(id: string): Promise<string> {
    const inbox = this.get(id)
    await inbox.delete()
    this.forget(id)
    return inbox.address
  }

  /**
   * Deletes all addresses, because nobody can read them without this process, also those that are being created. Others
   * can't be created afterwards. Ignores errors.
   */
  async deleteAll(): Promise<void> {
    this.#isEnding = true
    const created = [...this.#creating].map(async (creating) => this.delete((await creating).id))
    await Promise.allSettled([...[...this.#byId.keys()].map((id) => this.delete(id)), ...created])
  }
}
