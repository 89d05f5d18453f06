import { safeFilename } from '#core/file-name.ts'
import { MINUTE } from '#core/time.ts'

/** Milliseconds after which every browser has started the download. */
const REVOKE_AFTER = MINUTE

/**
 * Offers content as a file download. Unless the content is our own, the type must stay generic: a file from a message must
 * not open as a page, because the page would have this site's origin.
 */
export function saveFile(name: string, content: BlobPart, type = 'application/octet-stream'): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = safeFilename(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER)
}
