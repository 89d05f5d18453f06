import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outbound, OutboundMail } from '#core/email/email.ts'
import { ENVELOPE_FROM, ENVELOPE_TO, type OutboxFiles } from '#core/email/outbox.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { makeDirectory } from '#files/directory.ts'
import { writeDurably } from '#files/write-durably.ts'

/** Mails of an outbox, and drafts of them that a crash left behind. */
const MAIL = /^\d{4}-.+\.eml$/
const DRAFT = /^\.\d{4}-.+\.eml$/

/** As names begin: they sort by time. */
const stamp = (time: number): string => new Date(time).toISOString().replaceAll(/[:.]/g, '')

/**
 * Where there is no relay: mails become files that only this user may read, and a line in the log. On top of each stand two
 * fields with its envelope; `from` is that of mails that have none of their own.
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

/** What lies in an outbox; one that isn't there is empty. */
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
    // Whatever is asked for, nothing but a mail of the outbox is read.
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
