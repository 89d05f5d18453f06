import { checked, lost, TIMEOUT } from './api.ts'

/** The parts of a body until they are larger than `wanted`. Calls `onPart` after each. */
async function partsOf(body: Response['body'], wanted: number, onPart: () => void): Promise<BlobPart[]> {
  const parts: BlobPart[] = []
  const reader = body?.getReader()
  let size = 0
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value)
    size += part.value.length
    if (size > wanted) {
      await reader?.cancel()
      break
    }
    onPart()
  }
  return parts
}

/**
 * A file of this site, which may take as long as its size needs. Throws `offline` if nothing of it arrives for a minute: on a
 * dead connection nothing else ends it. A file that is larger than `wanted` bytes is not loaded to its end.
 */
export async function download(path: string, wanted = Infinity): Promise<Blob> {
  const dead = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => dead.abort(), TIMEOUT)
  }
  alive()
  try {
    const { body } = await checked(fetch(path, { signal: dead.signal }))
    return new Blob(await partsOf(body, wanted, alive).catch(lost))
  } finally {
    clearTimeout(timer)
  }
}
