import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/program/free-port.ts'
import { startServer, stopServer } from '../lib/process.ts'
import type { BenchServerKind } from './server.ts'

const PROGRAM = join(import.meta.dirname, '../node_modules/Haraka/bin/haraka')
const DEFAULTS = join(import.meta.dirname, '../node_modules/Haraka/config')
const CONFIG = join(import.meta.dirname, '../haraka')

/**
 * Haraka has no mailbox. Two of its queue plugins write messages to disk: `quarantine` (a temporary file, a hard link
 * and an unlink per message) and `queue/test` (one file in the temporary directory). The cheaper one is used.
 */
function harakaWith(name: string, setup: string, smtpIni: string): BenchServerKind {
  return {
    name,
    setup,
    async start() {
      const directory = await mkdtemp(join(tmpdir(), 'bench-haraka-'))
      const smtpPort = await freePort()
      await cp(DEFAULTS, join(directory, 'config'), { recursive: true })
      await cp(CONFIG, directory, { recursive: true })
      await writeFile(join(directory, 'config/smtp.ini'), `listen=127.0.0.1:${smtpPort}\n${smtpIni}`)
      const spool = join(directory, 'spool')
      await mkdir(spool)
      const child = await startServer([PROGRAM, '-c', directory], {
        port: smtpPort,
        cwd: directory,
        env: { TMPDIR: spool },
      })
      return {
        pid: child.pid ?? 0,
        smtpPort,
        recipients: ['load@mayfly.test'],
        counters: async () => ({ files: (await readdir(spool)).length }),
        async stop() {
          await stopServer(child)
          await rm(directory, { recursive: true, force: true })
        },
      }
    },
  }
}

export const haraka = harakaWith('Haraka', 'queue/test (one file per message), log level warn', '')
export const harakaCluster = harakaWith('Haraka, 4 workers', 'the same with nodes=4', 'nodes=4\n')
