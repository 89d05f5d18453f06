import type { ProbedResponse } from '#core/operating/probes.ts'
import {
  type Check,
  type DoctorDeps,
  type Finding,
  describeError,
  expiring,
  findings,
  isCertificateError,
} from './doctor-finding.ts'

/** Statuses with which a server in front of the service may reject programs, or clients that are not signed in there. */
const BEFORE_US: ReadonlySet<number> = new Set([401, 403, 429, 503])

const DOMAINS_PATH = '/api/v1/domains'

/**
 * Fetches the list of domains at the public URL, as a visitor's browser would: another server, or a proxy that changes
 * Host, has another one.
 */
const siteCheck = ({ presence, probes, clock, siteUrl }: DoctorDeps): Check => [
  'Site',
  async () => {
    if (siteUrl === null) return []
    const { hostname } = new URL(siteUrl)
    const report = findings(hostname, 'Site')
    const fail = (found: string, advice: string): Finding[] => [report('fail', `${siteUrl}: ${found}`, advice)]
    let response: ProbedResponse
    try {
      response = await probes.web(new URL(DOMAINS_PATH, siteUrl))
    } catch (error) {
      const advice = isCertificateError(error)
        ? 'correct the certificate of the proxy'
        : `point ${hostname} to a TLS proxy in front of the service; if it does, check from another machine`
      return fail(describeError(error), advice)
    }
    const { status, location, text, validTo } = response
    if (location !== null) return fail(`redirects with ${status} to ${location}`, 'set MAYFLY_PUBLIC_URL to that site')
    if (status === 421) return fail('the response is 421', 'let the proxy pass the Host header on')
    if (BEFORE_US.has(status))
      return [report('warn', `${siteUrl}: the response is ${status} from here`, 'check that visitors get the site')]
    if (status !== 200) return fail(`the response is ${status}`, 'check the proxy and the service')
    if (!text.includes(JSON.stringify(presence.domains[0])))
      return fail(
        'another server or service responds',
        `correct MAYFLY_PUBLIC_URL, or point ${hostname} to this service`,
      )
    return [(validTo === null ? undefined : expiring(report, validTo, clock())) ?? report('ok', siteUrl)]
  },
]

/**
 * Warns if the port of the service itself, which has no TLS, can be reached at an address of the site or receiver. There,
 * anyone can go around the proxy.
 */
const portCheck = ({ presence, probes, siteUrl, httpPort }: DoctorDeps): Check => [
  'HTTP port',
  async () => {
    if (siteUrl === null || !siteUrl.startsWith('https:') || httpPort === 0) return []
    const hosts = [presence.siteHost, presence.mailHost].filter((host) => host !== null)
    const found = await Promise.all(hosts.map((host) => probes.dns.addresses(host).catch((): string[] => [])))
    return Promise.all(
      [...new Set(found.flat())].map(async (address) => {
        const report = findings(address, 'HTTP port')
        const host = address.includes(':') ? `[${address}]` : address
        const answer = await probes.web(new URL(`http://${host}:${httpPort}/livez`)).catch(() => undefined)
        if (answer?.status !== 200) return report('ok', `port ${httpPort} is closed`)
        if (probes.isOwnAddress(address))
          return report('ok', `port ${httpPort} is open from here; check from another machine that it is closed there`)
        return report(
          'warn',
          `port ${httpPort} answers without TLS`,
          'let only the proxy reach it: with a firewall, MAYFLY_HOST, or PAGE_PORT with Docker',
        )
      }),
    )
  },
]

/** Checks the site as visitors see it, and settings that endanger it or its visitors. */
export const siteChecks = (deps: DoctorDeps): Check[] => [
  siteCheck(deps),
  portCheck(deps),
  ...deps.siteWarnings.map(({ check, setting, found, advice }): Check => [
    check,
    async () => [findings(setting, check)('warn', found, advice)],
  ]),
  laterWarning('Service key', 'MAYFLY_SECRET_KEY_FILE', deps.keyExposure),
  laterWarning('Operator', 'MAYFLY_OPERATOR_EMAIL', deps.operatorAddress),
]

const laterWarning = (check: string, setting: string, warning: DoctorDeps['keyExposure']): Check => [
  check,
  async () => {
    const found = await warning?.()
    return found === undefined ? [] : [findings(setting, check)('warn', found)]
  },
]
