import { createAddress } from '../../test/support/program/api.ts'
import { startProgram } from '../../test/support/program/program.ts'
import { startNameServer } from '../lib/dns.ts'
import type { BenchServer, BenchServerKind } from './server.ts'

/** As many addresses as the load has connections, because a single inbox would reach its storage limit. */
const ADDRESSES = 100

/** Raised limits, because the load and the reads come from one IP address. */
export const RAISED = {
  MAYFLY_SMTP_CONNECTIONS_PER_IP_MAX: '1000',
  MAYFLY_API_REQUESTS_PER_SECOND: '1000000',
  MAYFLY_PAGE_REQUESTS_PER_SECOND: '1000000',
  MAYFLY_ADDRESS_CREATE_BURST: '1000000',
}

export interface MayflyServer extends BenchServer {
  url: string
}

export async function startMayfly(addresses = ADDRESSES, env: Record<string, string> = {}): Promise<MayflyServer> {
  const names = await startNameServer()
  const program = await startProgram({
    asOperator: true,
    env: { ...RAISED, MAYFLY_DNS_SERVERS: names.address, ...env },
  })
  const owners = await Promise.all(Array.from({ length: addresses }, () => createAddress(program.url)))
  return {
    pid: program.child.pid ?? 0,
    url: program.url,
    smtpPort: program.smtpPort,
    recipients: owners.map(({ address }) => address),
    async counters() {
      const text = await (await fetch(program.metricsUrl)).text()
      return Object.fromEntries(
        [...text.matchAll(/^(\w+) ([\d.e+]+)$/gm)].map(([, name, value]) => [name, Number(value)]),
      )
    },
    async stop() {
      await program.stop()
      names.close()
    },
  }
}

export const mayfly: BenchServerKind = {
  name: 'Mayfly',
  setup: `mayfly start; ${Object.entries(RAISED)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')}`,
  start: () => startMayfly(),
}
