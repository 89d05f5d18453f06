import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

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

/** yazl keeps the metadata of every entry in memory until its archive ends, and searches it for each new entry. */
const MAX_ENTRIES = 10_000
/** Bytes that are checksummed at once, which blocks this thread. */
const CHUNK_BYTES = 64 * 1024

/**
 * Yields a ZIP file (APPNOTE.TXT) while it is read, with Zip64 where it is needed. Each chunk that is read makes it
 * read at most one further entry. Entries beyond `maxEntries` are in nested archives, `part-2.zip` and so on, with up
 * to `maxEntries` entries each.
 */
export const zip = (entries: AsyncIterable<ZipEntry>, maxEntries = MAX_ENTRIES): AsyncGenerator<Uint8Array> =>
  archive(inParts(entries[Symbol.asyncIterator](), maxEntries))

async function* inParts(entries: AsyncIterator<ZipEntry>, maxEntries: number): AsyncGenerator<Part> {
  try {
    yield* takeEntries(entries, maxEntries)
    for (let part = 2; ; part++) {
      const first = await entries.next()
      if (first.done) return
      const content = archive(takeEntries(entries, maxEntries - 1, first.value))
      yield { name: `part-${part}.zip`, time: first.value.time, content }
    }
  } finally {
    await entries.return?.()
  }
}

/** Yields `first`, and up to `count` further entries. */
async function* takeEntries(
  entries: AsyncIterator<ZipEntry>,
  count: number,
  first?: ZipEntry,
): AsyncGenerator<ZipEntry> {
  if (first) yield first
  for (let i = 0; i < count; i++) {
    const next = await entries.next()
    if (next.done) return
    yield next.value
  }
}

async function* archive(entries: AsyncIterable<Part>): AsyncGenerator<Uint8Array> {
  const file = new ZipFile()
  const output = file.outputStream as Readable
  const stop = new AbortController()
  const demand = new Demand()
  const added = addAll(file, onDemand(entries, demand), stop.signal).catch((error: unknown) => {
    output.destroy(error as Error)
  })
  try {
    demand.raise()
    for await (const chunk of output as AsyncIterable<Uint8Array>) {
      yield chunk
      demand.raise()
    }
  } finally {
    stop.abort()
    demand.raise()
    await added
  }
}

/**
 * Lets the reader of an archive ask for one further entry. Without it, yazl would read ahead until its buffers are
 * full.
 */
class Demand {
  #raised = Promise.withResolvers<void>()

  raise(): void {
    this.#raised.resolve()
  }

  async consume(): Promise<void> {
    await this.#raised.promise
    this.#raised = Promise.withResolvers()
  }
}

async function* onDemand(entries: AsyncIterable<Part>, demand: Demand): AsyncGenerator<Part> {
  await demand.consume()
  for await (const entry of entries) {
    yield entry
    await demand.consume()
  }
}

/** Adds one entry after the other. Rejects if an entry cannot be read or `signal` aborts. */
async function addAll(file: ZipFile, entries: AsyncIterable<Part>, signal: AbortSignal): Promise<void> {
  for await (const { name, time, content } of entries) {
    const isArchive = !(content instanceof Uint8Array)
    const source = Readable.from(isArchive ? content : inChunks(content), { objectMode: false })
    // yazl keeps the callback until the archive ends. The content can be freed earlier because the callback drops its
    // source.
    const pending = [source]
    withoutBufferPool(() =>
      file.addReadStreamLazy(name, { mtime: new Date(time), compress: !isArchive }, (callback) => {
        const next = pending.pop()
        if (next) callback(null, next)
      }),
    )
    try {
      await finished(source, { signal })
    } finally {
      source.destroy()
    }
  }
  signal.throwIfAborted()
  file.end()
}

/**
 * Runs `work` while small buffers get memory of their own. yazl keeps the name of each entry in a buffer. A name from
 * the pool of Node would keep its 64 KB of memory, with parts of contents, until the archive ends: 220 MB for 10,000
 * entries.
 */
function withoutBufferPool(work: () => void): void {
  const { poolSize } = Buffer
  Buffer.poolSize = 0
  try {
    work()
  } finally {
    Buffer.poolSize = poolSize
  }
}

function* inChunks(content: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < content.length; start += CHUNK_BYTES) yield content.subarray(start, start + CHUNK_BYTES)
}
