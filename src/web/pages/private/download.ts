/** Long enough for any browser to have begun. In milliseconds. */
const BEGUN = 60_000

/**
 * Hands bytes over as a file. Always of no type: what a mail brings must not be opened as a page, which would be one of this site.
 */
export function download(name: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), BEGUN)
}
