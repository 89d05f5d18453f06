/** Milliseconds after which every browser has started the download. */
const REVOKE_AFTER = 60_000

/**
 * Offers content as a file download. The type is always generic: a file from a message must not open as a page, because
 * the page would have this site's origin.
 */
export function download(name: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER)
}
