import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeDirectory } from '#files/directory.ts'
import { writeDurably } from '#files/write-durably.ts'

/** An inbox that `mayfly new` created. */
export interface SavedInbox {
  address: string
  secret: string
  /** The URL of its service. */
  url: string
}

/** The file has the secrets of all inboxes, so only its owner can read it. */
const fileOf = (home: string): string => join(home, '.mayfly', 'inboxes.json')
/** What to do if the service of a saved inbox does not respond. */
export const RESTART = 'It has the address: start it again with mayfly start'
/** Older inboxes are forgotten. Free addresses have long expired by then. */
const SAVED_MAX = 200

async function readAll(home: string): Promise<SavedInbox[]> {
  const file = fileOf(home)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  try {
    const inboxes: unknown = JSON.parse(text)
    if (Array.isArray(inboxes)) return inboxes as SavedInbox[]
  } catch {
    // Reported below.
  }
  throw new Error(`${file} is damaged. Delete it to start over`)
}

/** Remembers an inbox for later commands of this user. */
export async function saveInbox(inbox: SavedInbox, home = homedir()): Promise<void> {
  const others = (await readAll(home)).filter(({ address, url }) => address !== inbox.address || url !== inbox.url)
  await makeDirectory(dirname(fileOf(home)))
  await writeDurably(fileOf(home), `${JSON.stringify([inbox, ...others].slice(0, SAVED_MAX), null, 2)}\n`)
}

/** Returns the saved inbox of an address, or the newest one. Rejects if there is none. */
export async function savedInbox(address: string | undefined, home = homedir()): Promise<SavedInbox> {
  const inboxes = await readAll(home)
  const found = address === undefined ? inboxes[0] : inboxes.find((each) => each.address === address.toLowerCase())
  if (!found) throw new Error(`mayfly new did not create ${address ?? 'an inbox'} on this computer`)
  return found
}
