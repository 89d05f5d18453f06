import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { limits, loadConfig, settings } from '#config/load.ts'
import { PREFIX } from '#config/table.ts'
import { exemptLocally, maxDelayedPerClient, unlimitedSessions } from './local-limits.ts'

const file = new URL('../../deploy/tests.env', import.meta.url)
const forTests = Object.fromEntries(
  [...readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
)

/** These have no settings. */
const ALWAYS_EXEMPT = ['logins', 'failedLogins', 'linkChecks', 'images']

test('deploy/tests.env lifts each limit that does not apply to clients on this machine, if it has a setting', () => {
  const config = loadConfig(forTests)
  expect([exemptLocally(config), unlimitedSessions(config)]).toEqual([ALWAYS_EXEMPT, {}])
})

test.each(['API_REQUESTS_PER_SECOND', 'PAGE_REQUESTS_PER_SECOND'])(
  'a limit of requests (%s) is no limit of logins, link checks and remote images on this machine',
  (key) => {
    expect(exemptLocally(loadConfig({ [PREFIX + key]: '100000' }))).toEqual(expect.arrayContaining(ALWAYS_EXEMPT))
  },
)

test('faults delay any number of sessions of one client on this machine, unless the operator sets a limit', () => {
  const key = `${PREFIX}SMTP_DELAYED_SESSIONS_PER_IP_MAX`
  expect(maxDelayedPerClient(loadConfig({}))).toBe(Infinity)
  expect(maxDelayedPerClient(loadConfig({ [key]: '7' }))).toBe(7)
  expect(maxDelayedPerClient(loadConfig(forTests))).toBe(1_000_000)
  expect(maxDelayedPerClient(loadConfig({ [`${PREFIX}HOST`]: '0.0.0.0' }))).toBe(5)
})

test('deploy/tests.env lifts each limit of one IP address', () => {
  const perClient = [...settings, ...limits].filter(({ about }) => /\bone (?:IP address|IPv6 \/64)/.test(about))
  // A large burst lifts the limit that its seconds set.
  const isLifted = (key: string): boolean =>
    [key, key.replace(/_SECONDS$/, '_BURST')].some((each) => PREFIX + each in forTests)
  expect(perClient.map(({ key }) => key)).toContain('STREAMS_PER_IP_MAX')
  expect(perClient.map(({ key }) => key).filter((key) => !isLifted(key))).toEqual([])
})
