import { createCipheriv, diffieHellman, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto'
import { fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { loadMails } from '../test/load/mail.ts'
import { freePort } from '../test/support/program/free-port.ts'
import { round, table } from './lib/figures.ts'
import { runGenerator } from './lib/load.ts'
import { cpuSeconds, startServer, stopServer } from './lib/process.ts'

export interface LimitsOptions {
  seconds: number
  connections: number
  /** Bytes of a message. */
  size: number
}

/** Returns how often `work` runs in a second of this thread. */
function perSecond(seconds: number, work: () => void): number {
  const end = performance.now() + seconds * 1000
  let count = 0
  while (performance.now() < end) {
    work()
    count++
  }
  return count / seconds
}

/** Syncs of one message each, as a log that does not group messages would need them. */
function syncsPerSecond(seconds: number, mail: Buffer): number {
  const directory = mkdtempSync(join(tmpdir(), 'bench-sync-'))
  try {
    const file = openSync(join(directory, 'log'), 'a')
    return perSecond(seconds, () => {
      writeSync(file, mail)
      fdatasyncSync(file)
    })
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Messages that one core can compress and encrypt, each with its own key agreement. */
function sealsPerSecond(seconds: number, mail: Buffer): number {
  const recipient = generateKeyPairSync('x25519')
  const ephemeral = generateKeyPairSync('x25519')
  const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
  return perSecond(seconds, () => {
    const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: recipient.publicKey })
    const key = Buffer.from(hkdfSync('sha256', shared, 'salt', 'limits', 32))
    const cipher = createCipheriv('aes-256-gcm', key, randomBytes(12))
    cipher.update(zstdCompressSync(mail, level))
    cipher.final()
  })
}

/** Measures a server that only answers and keeps nothing: messages per second, and CPU seconds per 1,000. */
async function sink({ seconds, connections, size }: LimitsOptions): Promise<{ rate: number; cpu: number }> {
  const port = await freePort()
  const child = await startServer([join(import.meta.dirname, 'servers/sink.ts'), `${port}`], { port, cwd: tmpdir() })
  try {
    const before = cpuSeconds(child.pid ?? 0)
    const load = { port, rcpt: 'load@mayfly.test', connections, size, seconds, messages: 1e9 }
    const { perSecond: rate, acknowledged } = await runGenerator(load)
    return { rate, cpu: ((cpuSeconds(child.pid ?? 0) - before) / acknowledged) * 1000 }
  } finally {
    await stopServer(child)
  }
}

/** Measures what the machine allows, to compare the figures of receiving with. */
export async function limits(options: LimitsOptions): Promise<string> {
  const mail = loadMails(options.size, 'limits')().raw
  const { rate, cpu } = await sink(options)
  return table([
    ['limit', 'per second'],
    [`a server that keeps nothing, ${options.connections} connections (${round(cpu, 2)} CPU s per 1,000)`, round(rate)],
    ['syncs of one message each', round(syncsPerSecond(options.seconds / 2, mail))],
    ['messages compressed and sealed by one core', round(sealsPerSecond(options.seconds / 2, mail))],
  ])
}
