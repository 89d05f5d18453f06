import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outbound, OutboundMail } from '#core/email/email.ts'
import { ENVELOPE_FROM, ENVELOPE_TO, type OutboxFiles } from '#core/email/outbox.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { makeDirectory } from '#files/directory.ts'
import { writeDurably } from '#files/write-durably.ts'

/** File names of emails, and of drafts that remain after a crash. */
const MAIL = /^\d{4}-.+\.eml$/
const DRAFT = /^\.\d{4}-.+\.eml$/

/** Returns the start of a file name. Names sort by time. */
const stamp = (time: number): string => new Date(time).toISOString().replaceAll(/[:.]/g, '')

/**
 * Replaces the relay: writes each email to a file that only the service's user can read, and logs its name. The file
 * starts with two header fields for the envelope. `from` is the default reverse-path.
 */
export function createOutbox(
  directory: string,
  { from, clock, logger }: { from: string; clock: Clock; logger: Logger },
): Outbound {
  return {
    async send({ name, to, raw, from: reversePath = from }: OutboundMail) {
      await makeDirectory(directory)
      const file = `${stamp(clock())}-${name}.eml`
      const envelope = Buffer.from(`${ENVELOPE_FROM}: <${reversePath}>\r\n${ENVELOPE_TO}: <${to}>\r\n`)
      await writeDurably(join(directory, file), [envelope, raw])
      logger.info({ file }, 'email written to the outbox')
    },
    async close() {},
  }
}

/** Reads the files of an outbox. A missing directory counts as empty. */
export function outboxFiles(directory: string): OutboxFiles {
  const names = (): Promise<string[]> =>
    readdir(directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
  const list = async (): Promise<string[]> =>
    (await names())
      .filter((name) => MAIL.test(name))
      .toSorted()
      .toReversed()

  return {
    list,
    // Reads only files that `list` returns, whatever the requested name is.
    read: async (file) => ((await list()).includes(file) ? readFile(join(directory, file)) : undefined),
    async prune(before) {
      const end = stamp(before)
      const expired = (await names()).filter(
        (name) => (MAIL.test(name) || DRAFT.test(name)) && name.replace(/^\./, '') < end,
      )
      await Promise.all(expired.map((name) => rm(join(directory, name), { force: true })))
      return expired.length
    },
  }
}
