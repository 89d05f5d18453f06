import { hash } from 'node:crypto'
import type { ApiClient } from '../support/program/api.ts'
import type { Ledger } from './ledger.ts'
import { findLoadMail } from './mail.ts'

/** A message of the load as it is stored: its messages in the inbox (one, if all is well), and its raw bytes. */
interface Kept {
  messageIds: string[]
  sha256: string
}

/** Messages of the load by their ids. */
export type Inbox = Map<string, Kept>

/** A downloaded message of the load: the id of its mail and the hash of its raw bytes. */
export interface Read {
  id: string
  sha256: string
}

/**
 * Reads every message of an inbox through the API at `url`. Throws if a listed message can't be read.
 *
 * @param earlier Messages that earlier calls downloaded, by message id. They are not downloaded again. This call adds
 *   the messages that it downloads.
 */
export async function inboxOf(
  url: string,
  { address, secret }: Pick<ApiClient, 'address' | 'secret'>,
  earlier = new Map<string, Read>(),
): Promise<Inbox> {
  const headers = { authorization: `Bearer ${secret}` }
  const get = async (path: string): Promise<Response> => {
    const response = await fetch(`${url}/api/v1/messages${path}`, { headers })
    if (response.status !== 200) throw new Error(`${response.status} at ${path} of ${address}`)
    return response
  }
  const inbox: Inbox = new Map()
  for (let query = ''; ;) {
    const page: any = await (await get(query)).json()
    const read = async (messageId: string): Promise<void> => {
      if (earlier.has(messageId)) return
      const raw = Buffer.from(await (await get(`/${messageId}/raw`)).arrayBuffer())
      const mail = findLoadMail(raw)
      if (!mail) throw new Error(`No mail of the load: ${raw.toString('latin1', 0, 500)}`)
      earlier.set(messageId, { id: mail.id, sha256: hash('sha256', mail.raw) })
    }
    const listed: string[] = page.messages.map(({ id }: { id: string }) => id)
    await Promise.all(listed.map(read))
    for (const messageId of listed) {
      const { id, sha256 } = earlier.get(messageId)!
      inbox.set(id, { messageIds: [...(inbox.get(id)?.messageIds ?? []), messageId], sha256 })
    }
    if (page.next === null) return inbox
    query = `?before=${page.next}`
  }
}

/**
 * Compares the inboxes (by address) with the sender's records. Returns the differences: every acknowledged message must
 * exist once and unchanged, every other at most once, and nothing else.
 */
export function faultsOf(ledger: Ledger, inboxes: ReadonlyMap<string, Inbox>): string[] {
  const wrong = [...ledger.entries.values()].flatMap(({ id, recipient, sha256, outcome }) => {
    const kept = inboxes.get(recipient)?.get(id)
    if (!kept) return outcome === 'acknowledged' ? [`${id} is missing`] : []
    if (kept.sha256 !== sha256) return [`${id} is changed`]
    return kept.messageIds.length > 1 ? [`${id} (${outcome}) is there ${kept.messageIds.length} times`] : []
  })
  const strangers = [...inboxes].flatMap(([address, inbox]) =>
    [...inbox.keys()].filter((id) => ledger.entries.get(id)?.recipient !== address),
  )
  return [...wrong, ...strangers.map((id) => `${id} is a stranger`)]
}
