import { describe, expect, test } from 'vitest'
import { limits, loadConfig, settings, withDefaults } from './load.ts'
import { withoutServiceLinks } from './service-links.ts'

/** What Kubernetes sets for a Service with two ports. */
const linksOf = (name: string, ip = '10.96.1.2') => ({
  [`${name}_SERVICE_HOST`]: ip,
  [`${name}_SERVICE_PORT`]: '80',
  [`${name}_SERVICE_PORT_HTTP_PAGE`]: '80',
  [`${name}_PORT`]: `tcp://${ip}:80`,
  [`${name}_PORT_80_TCP`]: `tcp://${ip}:80`,
  [`${name}_PORT_80_TCP_PROTO`]: 'tcp',
  [`${name}_PORT_80_TCP_PORT`]: '80',
  [`${name}_PORT_80_TCP_ADDR`]: ip,
  [`${name}_PORT_53_UDP`]: `udp://${ip}:53`,
  [`${name}_PORT_53_UDP_ADDR`]: ip,
})

describe.each([
  'MAYFLY',
  'MAYFLY_SMTP',
  'MAYFLY_HTTP',
  'MAYFLY_METRICS',
  'MAYFLY_OPERATOR',
  'MAYFLY_WEB_PORT',
  'MAYFLY_1',
])('the variables that Kubernetes sets for a Service %s', (name) => {
  test.each(['10.96.1.2', '[fd00::1]'])('are ignored, with %s', (ip) =>
    expect(loadConfig(linksOf(name, ip))).toEqual(loadConfig({})),
  )

  test('leave what the operator sets', () => {
    const env = { ...linksOf(name), MAYFLY_SMTP_PORT: '25', MAYFLY_HTTP_PORT: '80', MAYFLY_OPERATOR_NAME: 'Ann' }
    expect(loadConfig(env)).toMatchObject({ server: { smtpPort: 25, httpPort: 80 }, operator: { name: 'Ann' } })
  })
})

test.each(['MAYFLY', 'MAYFLY_OPERATOR'])('the variables of a Docker link %s are ignored', (name) => {
  const links = {
    [`${name}_PORT`]: 'tcp://172.17.0.2:3000',
    [`${name}_NAME`]: '/job/mayfly',
    [`${name}_ENV_MAYFLY_DOMAINS`]: 'a.test',
  }
  expect(loadConfig(links)).toEqual(loadConfig({}))
})

test.each([
  { MAYFLY_SERVICE_HOST: '10.96.1.2' },
  { MAYFLY_PORT: '3000' },
  { MAYFLY_NAME: 'Mayfly' },
  { ...linksOf('MAYFLY_SMTP'), MAYFLY_NAME: 'Mayfly' },
  { ...linksOf('MAYFLY'), MAYFLY_SMTP_PROT: '25' },
])('anything else is still an unknown setting: %j', (env) =>
  expect(() => loadConfig(env)).toThrow(/is not a setting of Mayfly/),
)

test('a port in a URL without such variables is a bad value', () =>
  expect(() => loadConfig({ MAYFLY_SMTP_PORT: 'http://10.96.1.2:25' })).toThrow(/^MAYFLY_SMTP_PORT is "http/))

test('they replace no defaults', () =>
  expect(withDefaults({ MAYFLY_SMTP_PORT: '0' }, linksOf('MAYFLY_SMTP'))).toEqual({ MAYFLY_SMTP_PORT: '0' }))

test('no setting has such a name, except the ports', () => {
  const keys = [...settings, ...limits].map(({ key }) => `MAYFLY_${key}`)
  const names = [...new Set(keys.flatMap((key) => [...key.matchAll(/_/g)].map(({ index }) => key.slice(0, index))))]
  const urls = names.map((name) => [`${name}_PORT_80_TCP`, 'tcp://10.96.1.2:80'])
  const env = Object.fromEntries([...urls, ...keys.map((key) => [key, 'x'])])
  expect(Object.keys(withoutServiceLinks(env)).toSorted()).toEqual(keys.toSorted())
})
