import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { checkUrl } from './call-service.ts'
import { type Command, UsageError } from './command.ts'

const PORT_MAX = 65_535

export const mcp: Command = {
  usage: 'mcp [--url URL] [--api-key-file FILE] [--http PORT [--host HOST]]',
  about: 'Serve inboxes to a client of the Model Context Protocol, on standard input and output or over HTTP',
  async run({ args, print, printError, siteUrl, version }) {
    const { values } = parseArgs({
      args,
      options: {
        url: { type: 'string', default: siteUrl },
        'api-key-file': { type: 'string' },
        http: { type: 'string' },
        host: { type: 'string' },
      },
    })
    const { url, http, host, 'api-key-file': keyFile } = values
    const port = Number(http)
    if (http !== undefined && !(/^\d+$/.test(http) && port <= PORT_MAX))
      throw new UsageError(`--http must be a port from 0 to ${PORT_MAX}`)
    if (host !== undefined && http === undefined) throw new UsageError('--host works only with --http')
    checkUrl(url)
    const key = keyFile === undefined ? undefined : (await readFile(keyFile, 'utf8')).trim()

    // Only this command loads the library, which takes longer than most other commands.
    const { serveOnHttp, serveOnStdio } = await import('#mcp/serve.ts')
    const stop = new AbortController()
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(name, () => stop.abort())
    const options = {
      service: { url, ...(key === undefined ? {} : { apiKey: key }) },
      version,
      signal: stop.signal,
      printError,
    }
    if (http === undefined) await serveOnStdio(options)
    else await serveOnHttp(options, { host: host ?? '127.0.0.1', port, listening: print })
  },
}
