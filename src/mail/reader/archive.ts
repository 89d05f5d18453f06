import { type Zippable, zipSync } from 'fflate'
import { safeFilename } from '#core/file-name.ts'
import { listAttachments } from './attachments.ts'
import { bytesOf, type Email } from './parse.ts'

/** Most attachments are compressed already. */
const LEVEL = 1
/** The earliest time of a file in an archive. The time of reading would reveal when that was. */
const TIME = new Date(1980, 0, 2)

/** Returns a ZIP file of all attachments. Its size is limited by that of the message. */
export function archiveOf(mail: Email): Uint8Array {
  const files: Zippable = {}
  // The library uses names as keys of plain objects.
  const taken = new Set(['__proto__'])
  for (const { info, part } of listAttachments(mail)) {
    const name = unused(safeFilename(info.filename), taken)
    files[name] = [bytesOf(part), { level: LEVEL, mtime: TIME }]
  }
  return zipSync(files)
}

/** Names that differ only in case would be the same file on some systems. */
function unused(name: string, taken: Set<string>): string {
  const [, base = name, extension = ''] = /^(.+?)(\.[^.]{1,10})?$/.exec(name) ?? []
  let free = name
  for (let i = 2; taken.has(free.toLowerCase()); i++) free = `${base} (${i})${extension}`
  taken.add(free.toLowerCase())
  return free
}
