import { brotliCompressSync } from 'node:zlib'
import compile from 'icu-minify/compile'
import type { Messages } from './keys.ts'

/** Most that the messages of one language may weigh on the line, in bytes of Brotli. */
const MOST_BYTES = 8 * 1024

/** The weight of the messages as the build compiles them (see `vite.config.ts`) and the server sends them. */
export function checkWeight(messages: Messages, most = MOST_BYTES): string[] {
  let compiled
  try {
    compiled = Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, compile(text)]))
  } catch {
    return []
  }
  const bytes = brotliCompressSync(`export default ${JSON.stringify(compiled)}`).length
  return bytes > most ? [`weigh ${bytes} bytes, more than ${most}`] : []
}
