import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '#files/directory.ts'
import { writeDurably } from '#files/write-durably.ts'

/** An inbox that `mayfly new` created. */
interface SavedInbox {
  address: string
  secret: string
  /** The URL of its service. */
  url: string
}

/** What to do if the service of a saved inbox does not respond. */
export const RESTART = 'Start the service that has the address again, with mayfly start'

/**
 * Each inbox has its own file, so that commands that run at the same time do not overwrite each other's inboxes. Only
 * their owner can read the files, because they contain secrets.
 */
const directoryOf = (home: string): string => join(home, '.mayfly', 'inboxes')
/** The names of the files sort by time. */
const nameOf = (time: number, unique: string): string => `${String(time).padStart(15, '0')}-${unique}.json`
const NAME = /^\d{15}-\w+\.json$/

/** The names of the files in the directory, newest first. */
async function namesIn(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(withoutFile([]))
  return names
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
}

/** For a file that does not exist: returns `value` instead. */
const withoutFile =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value
    throw error
  }

async function readJson(file: string, isExpected: (value: unknown) => boolean): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(withoutFile(undefined))
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isExpected(value)) return value
  } catch {
    // Reported below.
  }
  throw new Error(`${file} is damaged. Delete it to start over`)
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

const write = (directory: string, name: string, inbox: SavedInbox): Promise<void> =>
  writeDurably(join(directory, name), `${JSON.stringify(inbox, null, 2)}\n`)

/** Moves the inboxes of earlier builds, which had one file with a list. Concurrent commands write the same files. */
async function moveEarlier(home: string): Promise<void> {
  const file = join(home, '.mayfly', 'inboxes.json')
  const inboxes = (await readJson(file, Array.isArray)) as SavedInbox[] | undefined
  if (inboxes === undefined) return
  await makeDirectory(directoryOf(home))
  for (const [i, inbox] of inboxes.entries())
    await write(directoryOf(home), nameOf(inboxes.length - i, 'earlier'), inbox)
  await rm(file, { force: true })
}

/**
 * Remembers an inbox for later commands of this user. None is ever forgotten: visits extend an address for years, and
 * only its own service, which may not be running, knows whether it still exists.
 */
export async function saveInbox(inbox: SavedInbox, home = homedir()): Promise<void> {
  await moveEarlier(home)
  const directory = directoryOf(home)
  await makeDirectory(directory)
  await write(directory, nameOf(Date.now(), randomBytes(4).toString('hex')), inbox)
}

/** Returns the saved inbox of an address, or the newest one. Rejects if there is none. */
export async function savedInbox(address: string | undefined, home = homedir()): Promise<SavedInbox> {
  await moveEarlier(home)
  const directory = directoryOf(home)
  for (const name of await namesIn(directory)) {
    // The user may have just removed it.
    const inbox = (await readJson(join(directory, name), isObject)) as SavedInbox | undefined
    if (inbox && (address === undefined || inbox.address === address.toLowerCase())) return inbox
  }
  throw new Error(`mayfly new did not create ${address ?? 'an inbox'} on this computer`)
}
