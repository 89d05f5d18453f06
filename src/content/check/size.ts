import { brotliCompressSync } from 'node:zlib'
import compile from 'icu-minify/compile'
import { PARTS, partOf } from '#locales/parts.ts'
import type { Messages } from './keys.ts'

/** The greatest size of each file of messages, in bytes after Brotli compression. */
const MOST_BYTES = 8 * 1024

/**
 * Checks the size of the messages as the build compiles them (see `src/web/i18n/compile.ts`) and the server sends them.
 */
export function checkWeight(messages: Messages, most = MOST_BYTES): string[] {
  return PARTS.flatMap((part) => {
    const texts = Object.entries(messages).filter(([key]) => partOf(key) === part)
    let compiled
    try {
      compiled = Object.fromEntries(texts.map(([key, text]) => [key, compile(text)]))
    } catch {
      return []
    }
    const bytes = brotliCompressSync(JSON.stringify(compiled)).length
    return bytes > most ? [`of ${part} weigh ${bytes} bytes, more than ${most}`] : []
  })
}
