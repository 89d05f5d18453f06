import { get } from 'node:http'
import { launchBrowser, newVisit } from './lib/browser.ts'
import { round, table } from './lib/figures.ts'
import { startMayfly } from './servers/mayfly.ts'

interface Requested {
  method: string
  path: string
  kind: string
}

/** Returns the size of a response body compressed with Brotli. */
function brotliBytes(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'br', accept: '*/*' } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () => resolve(bytes))
    }).on('error', reject)
  })
}

function kindOf(path: string, type: string): string {
  if (path.startsWith('/api/')) return 'API'
  if (type === 'document') return 'HTML'
  if (type === 'script') return /messages|locale/.test(path) ? 'messages' : 'JavaScript'
  return type === 'stylesheet' ? 'CSS' : type
}

/** Returns all requests of a browser on its first visit, until there are none for three seconds. */
async function firstVisit(url: string): Promise<Requested[]> {
  const browser = await launchBrowser()
  try {
    const page = await newVisit(browser)
    const requests: Requested[] = []
    page.on('request', (request) => {
      const { origin, pathname, search } = new URL(request.url())
      if (origin !== new URL(url).origin) return
      requests.push({
        method: request.method(),
        path: pathname + search,
        kind: kindOf(pathname, request.resourceType()),
      })
    })
    await page.goto(url)
    for (let before = -1; before !== requests.length;) {
      before = requests.length
      await page.waitForTimeout(3000)
    }
    return requests
  } finally {
    await browser.close()
  }
}

/** Measures the requests of a first visit to the home page, and their Brotli sizes by kind. */
export async function weight(): Promise<string> {
  const server = await startMayfly(0)
  try {
    const reports: string[] = []
    for (const path of ['/', '/en']) {
      const requests = await firstVisit(server.url + path)
      const files = requests.filter(({ kind }) => kind !== 'API')
      const sized = await Promise.all(
        files.map(async (file) => ({ ...file, bytes: await brotliBytes(server.url + file.path) })),
      )
      const kinds = [...new Set(files.map(({ kind }) => kind))]
      const sum = (some: typeof sized): string => round(some.reduce((total, { bytes }) => total + bytes, 0) / 1024, 1)
      const rows = kinds.map((kind) => {
        const some = sized.filter((file) => file.kind === kind)
        return [kind, some.length, sum(some), some.map((file) => file.path).join(' ')]
      })
      const calls = requests.filter(({ kind }) => kind === 'API').map(({ method, path: call }) => `${method} ${call}`)
      reports.push(
        `First visit to ${path}`,
        table([['kind', 'files', 'Brotli KB', 'paths'], ...rows, ['total', files.length, sum(sized), '']]),
        `API calls: ${calls.join(', ') || 'none'}`,
      )
    }
    return reports.join('\n\n')
  } finally {
    await server.stop()
  }
}
