import { checked, lost, TIMEOUT } from './api.ts'

/** All parts of a body. Calls `onPart` after each. */
async function partsOf(body: Response['body'], onPart: () => void): Promise<BlobPart[]> {
  const parts: BlobPart[] = []
  const reader = body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value)
    onPart()
  }
  return parts
}

/**
 * A file of this site, which may take as long as its size needs. Throws `offline` if nothing of it arrives for a minute: on a
 * dead connection nothing else ends it.
 */
export async function download(path: string): Promise<Blob> {
  const dead = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => dead.abort(), TIMEOUT)
  }
  alive()
  try {
    const { body } = await checked(fetch(path, { signal: dead.signal }))
    return new Blob(await partsOf(body, alive).catch(lost))
  } finally {
    clearTimeout(timer)
  }
}
