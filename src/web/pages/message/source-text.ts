/** How many bytes of a source are shown. A browser needs seconds for 25 MB of text. */
export const SOURCE_MAX_BYTES = 1024 * 1024

const LF = 10
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })
const WESTERN = new TextDecoder('windows-1252')
const OVER_ASCII = /[\u0080-\ufffc\ufffe\uffff]/g

/** Decodes a line. One that is not UTF-8 shows its bytes in Windows 1252, in which all are valid. */
function lineOf(bytes: Uint8Array): string {
  const text = UTF8.decode(bytes)
  const invalid = text.split('\uFFFD').length - 1
  const isUtf8 = invalid === 0 || (text.match(OVER_ASCII)?.length ?? 0) >= 2 * invalid
  return isUtf8 ? text : WESTERN.decode(bytes)
}

interface SourceText {
  text: string
  /** Whether the rest is missing. */
  cut: boolean
}

/** Returns the beginning of the source of a message, whose parts may have different charsets. */
export async function sourceText(source: Blob): Promise<SourceText> {
  const bytes = new Uint8Array(await source.slice(0, SOURCE_MAX_BYTES).arrayBuffer())
  const cut = source.size > SOURCE_MAX_BYTES
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut }), cut }
  } catch {
    const lines: string[] = []
    for (let at = 0; at < bytes.length;) {
      const end = bytes.indexOf(LF, at) + 1 || bytes.length
      lines.push(lineOf(bytes.subarray(at, end)))
      at = end
    }
    return { text: lines.join(''), cut }
  }
}
