import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The bytes of base64 that a string has wherever it begins: only whole characters of it, for each of the three offsets. */
function base64Forms(bytes: Buffer): Buffer[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const first = Math.ceil((offset * 8) / 6)
    const whole = text.slice(first, Math.floor(((offset + bytes.length) * 8) / 6))
    return [Buffer.from(whole), Buffer.from(whole.replaceAll('+', '-').replaceAll('/', '_'))]
  })
}

/** How a text, or bytes, may look in a file: UTF-8, quoted-printable, percent-encoded, UTF-16, hexadecimal, base64. */
export function formsOf(text: string | Buffer): Buffer[] {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const hex = bytes.toString('hex')
  const escaped = (sign: string): string =>
    [...bytes]
      .map((byte) =>
        byte < 128 && byte !== 61
          ? String.fromCharCode(byte)
          : `${sign}${byte.toString(16).toUpperCase().padStart(2, '0')}`,
      )
      .join('')
  return [
    bytes,
    ...[escaped('='), escaped('%'), hex, hex.toUpperCase()].map((form) => Buffer.from(form)),
    typeof text === 'string' ? Buffer.from(text, 'utf16le') : bytes,
    ...base64Forms(bytes),
  ]
}

/** Looks for many byte strings at once: a table of their first three bytes, then the few that begin so. */
export class Needles {
  readonly #begins = new Uint8Array(2 ** 24)
  readonly #byBegin = new Map<number, { name: string; bytes: Buffer }[]>()

  /** `bytes` has at least 3 of them. */
  add(name: string, bytes: Buffer): void {
    const begin = bytes.readUIntBE(0, 3)
    this.#begins[begin] = 1
    const others = this.#byBegin.get(begin)
    if (others) others.push({ name, bytes })
    else this.#byBegin.set(begin, [{ name, bytes }])
  }

  /** The names of those that occur. */
  in(haystack: Buffer): Set<string> {
    const found = new Set<string>()
    let window = 0
    for (let i = 0; i < haystack.length; i++) {
      window = ((window << 8) | (haystack[i] ?? 0)) & 0xffffff
      if (i < 2 || this.#begins[window] === 0) continue
      for (const { name, bytes } of this.#byBegin.get(window) ?? []) {
        if (haystack.subarray(i - 2, i - 2 + bytes.length).equals(bytes)) found.add(name)
      }
    }
    return found
  }

  /** The same for every file of a directory, however deep; each find names its file. */
  async inFiles(directory: string): Promise<string[]> {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true })
    const finds = entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        return [...this.in(await readFile(path))].map((needle) => `${needle} in ${name}`)
      })
    return (await Promise.all(finds)).flat()
  }
}
