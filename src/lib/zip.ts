import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import { Zip, type ZipInputFile, ZipPassThrough } from 'fflate'

export interface ZipEntry {
  /** Path in the archive, with `/`. */
  name: string
  /** Milliseconds since the epoch. */
  time: number
  content: Uint8Array
}

interface Part extends Omit<ZipEntry, 'content'> {
  content: Uint8Array | AsyncIterable<Uint8Array>
}

/** Of a ZIP file without ZIP64: bytes. */
const MAX_BYTES = 2 ** 32 - 1
/** Far below the 65,535 that a ZIP file can have, for what is known of each stays in memory until its end. */
const MAX_ENTRIES = 10_000

const DEFLATED = 8
const deflate = promisify(deflateRaw)

/**
 * A ZIP file (APPNOTE.TXT), made as fast as it is read. Entries beyond `maxEntries` are in archives of their own inside of it,
 * `part-2.zip` and so on. Throws where it would be larger than 4 GiB.
 */
export async function* zip(entries: AsyncIterable<ZipEntry>, maxEntries = MAX_ENTRIES): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of archive(inParts(entries[Symbol.asyncIterator](), maxEntries))) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new RangeError('The archive is too large')
    yield chunk
  }
}

async function* inParts(entries: AsyncIterator<ZipEntry>, max: number): AsyncGenerator<Part> {
  try {
    yield* following(entries, max)
    for (let part = 2; ; part++) {
      const first = await entries.next()
      if (first.done) return
      const content = archive(following(entries, max - 1, first.value))
      yield { name: `part-${part}.zip`, time: first.value.time, content }
    }
  } finally {
    await entries.return?.()
  }
}

async function* following(entries: AsyncIterator<ZipEntry>, count: number, first?: ZipEntry): AsyncGenerator<ZipEntry> {
  if (first) yield first
  for (let i = 0; i < count; i++) {
    const next = await entries.next()
    if (next.done) return
    yield next.value
  }
}

async function* archive(entries: AsyncIterable<Part>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const writer = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  for await (const { name, time, content } of entries) {
    if (content instanceof Uint8Array) {
      // Compressed off this thread; and whole, for a mail is in memory as a whole anyway.
      const deflated = await deflate(content)
      const file: ZipInputFile = {
        filename: name,
        mtime: time,
        size: content.length,
        crc: crc32(content),
        compression: DEFLATED,
      }
      writer.add(file)
      file.ondata?.(null, deflated, true)
    } else {
      const file = Object.assign(new ZipPassThrough(name), { mtime: time })
      writer.add(file)
      for await (const chunk of content) {
        file.push(chunk)
        yield* ready.splice(0)
      }
      file.push(new Uint8Array(), true)
    }
    yield* ready.splice(0)
  }
  writer.end()
  yield* ready.splice(0)
}
