import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { startMayfly } from '#test/support/program/command.ts'
import { BARE_ENV } from '#test/support/program/program.ts'

export const ROOT = join(import.meta.dirname, '../..')
export const BIN = join(ROOT, 'bin/mayfly.js')

/** `legacy`: the protocol of 2025 and before. `auto`: what the server supports. */
type Mode = 'legacy' | 'auto'

/** Starts `mayfly mcp`. */
export const start = (args: string[]) => startMayfly(['mcp', ...args])

/** Starts the HTTP transport on a free port. */
export async function startHttp(args: string[]) {
  const child = start(['--http', '0', ...args])
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    url: new URL(url),
    async stop(): Promise<number | null> {
      child.kill()
      const [status] = (await once(child, 'close')) as [number | null]
      return status
    },
  }
}

/** Returns the text of a result. */
export const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')

function clientOf(mode: Mode) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const call = (name: string, input: Record<string, unknown> = {}) => client.callTool({ name, arguments: input })
  return { client, call }
}
export type Connected = ReturnType<typeof clientOf>

/** Connects the client of the SDK to a process of its own. */
export async function connectStdio(args: string[], mode: Mode = 'legacy'): Promise<Connected> {
  const connected = clientOf(mode)
  const env = Object.fromEntries(Object.entries(BARE_ENV).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  await connected.client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp', ...args], env }),
  )
  return connected
}

export async function connectHttp(url: URL, mode: Mode = 'legacy'): Promise<Connected> {
  const connected = clientOf(mode)
  await connected.client.connect(new StreamableHTTPClientTransport(url))
  return connected
}
