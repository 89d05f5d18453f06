import { get } from 'node:http'
import { launchBrowser, newVisit } from './lib/browser.ts'
import { round, table } from './lib/figures.ts'
import { startMayfly } from './servers/mayfly.ts'

interface Asked {
  method: string
  path: string
  kind: string
}

/** Bytes of the body as it travels to a browser that takes brotli. */
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

/** All that a browser asks for on its first visit, until it has been quiet for three seconds. */
async function firstVisit(url: string): Promise<Asked[]> {
  const browser = await launchBrowser()
  try {
    const page = await newVisit(browser)
    const asked: Asked[] = []
    page.on('request', (request) => {
      const { origin, pathname, search } = new URL(request.url())
      if (origin !== new URL(url).origin) return
      asked.push({ method: request.method(), path: pathname + search, kind: kindOf(pathname, request.resourceType()) })
    })
    await page.goto(url)
    for (let before = -1; before !== asked.length;) {
      before = asked.length
      await page.waitForTimeout(3000)
    }
    return asked
  } finally {
    await browser.close()
  }
}

/** What a first visit to the home page asks for, and its brotli bytes by kind. */
export async function weight(): Promise<string> {
  const server = await startMayfly(0)
  try {
    const reports: string[] = []
    for (const path of ['/', '/en']) {
      const asked = await firstVisit(server.url + path)
      const files = asked.filter(({ kind }) => kind !== 'API')
      const weighed = await Promise.all(
        files.map(async (file) => ({ ...file, bytes: await brotliBytes(server.url + file.path) })),
      )
      const kinds = [...new Set(files.map(({ kind }) => kind))]
      const sum = (some: typeof weighed): string => round(some.reduce((total, { bytes }) => total + bytes, 0) / 1024, 1)
      const rows = kinds.map((kind) => {
        const some = weighed.filter((file) => file.kind === kind)
        return [kind, some.length, sum(some), some.map((file) => file.path).join(' ')]
      })
      const calls = asked.filter(({ kind }) => kind === 'API').map(({ method, path: call }) => `${method} ${call}`)
      reports.push(
        `First visit to ${path}`,
        table([['kind', 'files', 'brotli KB', 'which'], ...rows, ['all', files.length, sum(weighed), '']]),
        `Calls of the API: ${calls.join(', ') || 'none'}`,
      )
    }
    return reports.join('\n\n')
  } finally {
    await server.stop()
  }
}
