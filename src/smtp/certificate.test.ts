import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DAY, HOUR } from '#core/time.ts'
import { type Certificate, loadCertificate } from './certificate.ts'

const START = Date.UTC(2026, 0, 1)
const INTERVAL = 60_000

let directory: string
let loaded: Certificate | undefined
let now = START
const log: string[] = []
const gauges = vi.fn<(name: string, value: number) => void>()
const line = (level: string) => (fields: object, message: string) =>
  void log.push(`${level} ${message} ${JSON.stringify(fields)}`)
const logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
const metrics = { count: vi.fn<() => void>(), gauge: gauges, observe: () => {} }

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mayfly-certificate-'))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  now = START
  log.length = 0
  gauges.mockClear()
  metrics.count.mockClear()
})
afterEach(async () => {
  loaded?.close()
  vi.useRealTimers()
  await rm(directory, { recursive: true })
})

const files = () => ({ certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') })

async function writePair(validTo: number): Promise<void> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'mx.example' }], {
    algorithm: 'sha256',
    notBeforeDate: new Date(START - 100 * DAY),
    notAfterDate: new Date(validTo),
  })
  await writeFile(files().certFile, cert)
  await writeFile(files().keyFile, key)
}

const load = async () => {
  loaded = await loadCertificate(
    { hostname: 'mx.example', certificate: files(), certificateCheckInterval: INTERVAL },
    { logger, metrics, clock: () => now },
  )
}

/** Lets so much time pass, with one check per hour. */
function pass(time: number): void {
  for (let passed = 0; passed < time; passed += HOUR) {
    now += HOUR
    vi.advanceTimersByTime(INTERVAL)
  }
}

/** Lets an hour pass, and resolves when the check at its end has found something. */
async function passUntilFound(): Promise<void> {
  const before = metrics.count.mock.calls.length
  pass(HOUR)
  await vi.waitFor(() => expect(metrics.count).toHaveBeenCalledTimes(before + 1))
}

test('warns once a day within 14 days of the end, as an error after it, and not after a renewal', async () => {
  await writePair(START + 16 * DAY)
  await load()
  expect(gauges).toHaveBeenLastCalledWith('smtp_certificate_expiry_timestamp_seconds', (START + 16 * DAY) / 1000)
  pass(2 * DAY)
  expect(log).toEqual([])
  pass(3 * DAY)
  expect(log).toEqual(
    [13, 12, 11].map((days) => `warn SMTP certificate expires soon: check its renewal {"days":${days}}`),
  )
  log.length = 0
  now = START + 17 * DAY
  pass(DAY - HOUR)
  expect(log).toEqual(['error SMTP certificate has expired: check its renewal {}'])
  log.length = 0
  await writePair(now + 90 * DAY)
  await passUntilFound()
  pass(2 * DAY)
  expect(log).toEqual(['info SMTP certificate reloaded {}'])
  expect(gauges.mock.lastCall?.[1]).toBeGreaterThan((START + 100 * DAY) / 1000)
})

test('warns at the start of a certificate that expires soon', async () => {
  await writePair(START + 3 * DAY + HOUR)
  await load()
  expect(log).toEqual(['warn SMTP certificate expires soon: check its renewal {"days":3}'])
})

test('reports a certificate that cannot be used at once, and as an error each hour after the first', async () => {
  await writePair(START + 90 * DAY)
  await load()
  await rm(files().keyFile)
  const failed = 'New SMTP certificate cannot be used; keeping the current one {"reason":"ENOENT"}'
  for (let i = 0; i < 3; i++) await passUntilFound()
  expect(log).toEqual([`warn ${failed}`, `error ${failed}`, `error ${failed}`])
  expect(metrics.count).toHaveBeenLastCalledWith('smtp_certificate_loads', { outcome: 'failed' })
  log.length = 0
  // Within the hour it is counted, and not logged again.
  vi.advanceTimersByTime(INTERVAL)
  await vi.waitFor(() => expect(metrics.count).toHaveBeenCalledTimes(4))
  expect(log).toEqual([])
  await writeFile(files().keyFile, 'half a key')
  vi.advanceTimersByTime(INTERVAL)
  await vi.waitFor(() => expect(log).toEqual([expect.stringMatching(/^error .*ERR_OSSL/)]))
  await writePair(START + 90 * DAY)
  await passUntilFound()
  log.length = 0
  await rm(files().keyFile)
  await passUntilFound()
  expect(log).toEqual([`warn ${failed}`])
})
