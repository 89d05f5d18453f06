import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/program/free-port.ts'
import { startServer, stopServer } from '../lib/process.ts'
import type { BenchServerKind } from './server.ts'

const PROGRAM = join(import.meta.dirname, '../node_modules/maildev/dist/bin/maildev.js')

export const maildev: BenchServerKind = {
  name: 'maildev',
  setup: 'maildev --mail-directory DIR, otherwise defaults',
  async start() {
    const directory = await mkdtemp(join(tmpdir(), 'bench-maildev-'))
    const [smtpPort, webPort] = [await freePort(), await freePort()]
    const options = {
      smtp: smtpPort,
      ip: '127.0.0.1',
      web: webPort,
      'web-ip': '127.0.0.1',
      'mail-directory': directory,
    }
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
    const child = await startServer([PROGRAM, ...args, '--silent'], { port: smtpPort, cwd: directory })
    return {
      pid: child.pid ?? 0,
      smtpPort,
      recipients: ['load@mayfly.test'],
      counters: async () => ({}),
      async stop() {
        await stopServer(child)
        await rm(directory, { recursive: true, force: true })
      },
    }
  },
}
