import { NOT_OURS } from './dns-records.ts'
import { domainChecks } from './doctor-domain.ts'
import { type Check, type DoctorDeps, type Finding, describeError, findings } from './doctor-finding.ts'
import { receiverChecks, relayCheck } from './doctor-receiver.ts'
import { siteChecks } from './doctor-site.ts'
import { spfCheck } from './doctor-spf.ts'

/**
 * Checks the service from the perspective of other mail servers. A check that throws becomes a finding and does not
 * affect the other checks.
 */
export interface Doctor {
  /** Checks what all domains share: the receiver, blocklists, the relay. */
  service(): Promise<Finding[]>
  /** Checks the records of one of `allDomains`. */
  domain(name: string): Promise<Finding[]>
}

export function createDoctor(deps: DoctorDeps): Doctor {
  /** Runs the checks concurrently. Returns the findings in the order of the checks. */
  async function runAll(about: string, checks: readonly Check[]): Promise<Finding[]> {
    const outcomes = checks.map(([check, run]) =>
      run().catch((error: unknown) => [{ level: 'fail' as const, about, check, found: describeError(error) }]),
    )
    return (await Promise.all(outcomes)).flat()
  }

  return {
    service: () => runAll(deps.presence.mailHost, [...receiverChecks(deps), relayCheck(deps), ...siteChecks(deps)]),
    domain(name) {
      const { domains, senderDomain } = deps.presence
      const checks = [...domainChecks(name, deps), spfCheck(name, deps)]
      if (domains.includes(name)) return runAll(name, checks)
      if (name === senderDomain)
        return runAll(
          name,
          checks.filter(([check]) => check === 'DKIM' || check === 'SPF'),
        )
      const advice = 'add it to MAYFLY_DOMAINS or MAYFLY_PREMIUM_DOMAINS'
      return Promise.resolve([findings(name, 'Domain')('fail', NOT_OURS, advice)])
    },
  }
}
