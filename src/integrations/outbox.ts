import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outbound, OutboundMail } from '#core/email/email.ts'
import { ENVELOPE_FROM, ENVELOPE_TO, type OutboxFiles } from '#core/email/outbox.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { makeDirectory } from '#files/directory.ts'
import { writeDurably } from '#files/write-durably.ts'

/** Emails of an outbox, and temporary files that a crash left behind. */
const MAIL = /^\d{4}-.+\.eml$/
const DRAFT = /^\.\d{4}-.+\.eml$/

/** The start of file names, which sort by time. */
const stamp = (time: number): string => new Date(time).toISOString().replaceAll(/[:.]/g, '')

/**
 * Without a relay, emails become files that only this user may read, and a line in the log. Each starts with two fields
 * for its envelope. `from` is for emails without an envelope of their own.
 */
export function createOutbox(
  directory: string,
  { from, clock, logger }: { from: string; clock: Clock; logger: Logger },
): Outbound {
  return {
    async send({ name, to, raw, from: own = from }: OutboundMail) {
      await makeDirectory(directory)
      const file = `${stamp(clock())}-${name}.eml`
      const envelope = Buffer.from(`${ENVELOPE_FROM}: <${own}>\r\n${ENVELOPE_TO}: <${to}>\r\n`)
      await writeDurably(join(directory, file), [envelope, raw])
      logger.info({ file }, 'mail written to the outbox')
    },
    async close() {},
  }
}

/** Lists the files of an outbox. One that does not exist is empty. */
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
    // Only files of the outbox are read, whatever the name is.
    read: async (file) => ((await list()).includes(file) ? readFile(join(directory, file)) : undefined),
    async prune(before) {
      const end = stamp(before)
      const old = (await names()).filter(
        (name) => (MAIL.test(name) || DRAFT.test(name)) && name.replace(/^\./, '') < end,
      )
      await Promise.all(old.map((name) => rm(join(directory, name), { force: true })))
      return old.length
    },
  }
}
