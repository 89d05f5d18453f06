import { vi } from 'vitest'
import { type CliContext, run } from './run.ts'

/** Runs a command line without services: `open` stands for everything that would open them. */
export async function mayfly(
  argv: string[],
  open = () => Promise.reject(new Error('one line\nand more')),
  changes: Partial<CliContext> = {},
) {
  const out: string[] = []
  const errors: string[] = []
  const start = vi.fn<() => Promise<void>>(async () => {})
  const context: CliContext = {
    print: (line) => void out.push(line),
    printError: (line) => void errors.push(line),
    version: '1.2.3',
    settings: (table) =>
      ({ essential: '  MAYFLY_SMTP_PORT', settings: '  MAYFLY_SPF', limits: '  MAYFLY_SWEEP_SECONDS' })[table],
    start,
    open,
    checkSettings: open,
    backup: open,
    restore: open,
    explain: async (raw) => [Buffer.from(raw).toString()],
    smtp: { host: '127.0.0.1', port: 1 },
    siteUrl: 'http://localhost:1',
    isPublic: false,
    dataDir: undefined,
    ...changes,
  }
  return { status: await run(argv, context), out, errors, started: start.mock.calls.length }
}
