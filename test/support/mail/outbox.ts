import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { vi } from 'vitest'
import type { EmailKind } from '#core/email/email.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import type { Program } from '../program/program.ts'

export interface OutboxMail extends Email {
  file: string
  raw: Buffer
  /** The URL of its button. */
  link: URL
}

export interface Outbox {
  /** Waits for the next email to a recipient, optionally of this kind, and returns it. Returns each email once. */
  next(to: string, kind?: EmailKind): Promise<OutboxMail>
  /** All emails, oldest first. */
  all(): Promise<OutboxMail[]>
}

/** The emails that were returned, by data directory, so that each is returned once. */
const outboxes = new Map<string, Set<string>>()

/** The emails that a program would have sent. Without a relay they are files. */
export function outboxOf({ dataDir }: Pick<Program, 'dataDir'>): Outbox {
  const directory = join(dataDir, 'outbox')
  const answered = outboxes.get(dataDir) ?? new Set<string>()
  outboxes.set(dataDir, answered)

  async function all(): Promise<OutboxMail[]> {
    const files = (await readdir(directory).catch(() => [])).filter((file) => /^\d.*\.eml$/.test(file)).toSorted()
    return Promise.all(files.map(async (file) => parsed(file, await readFile(join(directory, file)))))
  }

  return {
    all,
    next: (to, kind) =>
      vi.waitFor(
        async () => {
          const mail = (await all()).find(
            (each) =>
              !answered.has(each.file) && each.to?.[0]?.address === to && (!kind || each.file.includes(`-${kind}-`)),
          )
          if (!mail) throw new Error(`There is no ${kind ?? ''} mail to ${to}`)
          answered.add(mail.file)
          return mail
        },
        { timeout: PATIENCE, interval: 20 },
      ),
  }
}

/** An email that Mayfly sent. */
export async function parsed(file: string, raw: Buffer): Promise<OutboxMail> {
  const mail = await PostalMime.parse(raw)
  const [url] = /^https?:\/\/\S+$/m.exec(mail.text ?? '') ?? []
  if (url === undefined) throw new Error('The mail has no link')
  return { ...mail, file, raw, link: new URL(url) }
}
