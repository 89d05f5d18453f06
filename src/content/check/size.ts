import { brotliCompressSync } from 'node:zlib'
import compile from 'icu-minify/compile'
import type { Messages } from './keys.ts'

/** Most that the messages of one language may weigh on the line, in bytes of Brotli. */
export const MOST_BYTES = 8 * 1024

/** Messages as the build compiles them (see `vite.config.ts`) and the server sends them. */
export function weigh(messages: Messages): number {
  const compiled = Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, compile(text)]))
  return brotliCompressSync(`export default ${JSON.stringify(compiled)}`).length
}
