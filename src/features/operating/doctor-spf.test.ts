import { expect, test } from 'vitest'
import { DOMAIN, outsideOfFile, troubles } from '#test/support/dns/outside.ts'

const outside = outsideOfFile()

const domain = (env: Record<string, string> = {}) => outside().service(env).doctor.domain(DOMAIN)

test('accepts SPF with 10 look-ups', async () => {
  const hosts = Array.from({ length: 9 }, (_, i) => `h${i}.example`)
  for (const host of hosts) outside().zone[`${host} A`] = ['192.0.2.99']
  outside().zone[`${DOMAIN} TXT`] = [`v=spf1 a:mx.mayfly.example ${hosts.map((host) => `a:${host}`).join(' ')} -all`]
  const spf = (await domain()).find(({ check }) => check === 'SPF')
  expect(spf).toMatchObject({ level: 'ok', found: expect.stringContaining('10 of 10') })
})

test('accepts SPF that allows the relay with other terms', async () => {
  outside().zone[`${DOMAIN} TXT`] = ['v=spf1 ip4:127.0.0.0/8 -all']
  expect(troubles(await domain())).toEqual([])
})

test('does not trust SPF while the addresses of a relay in a private network are unknown', async () => {
  const spf = async (env: Record<string, string>) => {
    const findings = await domain({ MAYFLY_OUTBOUND_URL: 'smtp://postfix:25', ...env })
    return findings.find(({ check }) => check === 'SPF')
  }
  outside().zone[`${DOMAIN} TXT`] = ['v=spf1 ip4:10.0.0.5 -all']
  expect(await spf({})).toMatchObject({ level: 'warn', advice: expect.stringContaining('set MAYFLY_SPF') })
  outside().zone[`${DOMAIN} TXT`] = ['v=spf1 a:postfix -all']
  expect(await spf({})).toMatchObject({ level: 'fail', advice: expect.stringContaining('set MAYFLY_SPF') })
  outside().zone[`${DOMAIN} TXT`] = ['v=spf1 ip4:192.0.2.7 -all']
  expect(await spf({ MAYFLY_SPF: 'ip4:192.0.2.7' })).toMatchObject({ level: 'ok' })
})
