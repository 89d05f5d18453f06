import { domainChecks } from './doctor-domain.ts'
import { type Check, type DoctorDeps, type Finding, reasonOf } from './doctor-finding.ts'
import { receiverChecks, relayCheck } from './doctor-receiver.ts'
import { keyCheck, paymentCheck, siteCheck } from './doctor-site.ts'
import { spfCheck } from './doctor-spf.ts'

/** Checks the service as other mail servers see it. A failed check is a finding like any other and hides none. */
export interface Doctor {
  /** Checks that are the same for all domains: the receiver, blocklists, the relay. */
  service(): Promise<Finding[]>
  /** The records of a domain. */
  domain(name: string): Promise<Finding[]>
}

export function createDoctor(deps: DoctorDeps): Doctor {
  /** All at the same time. Findings are in the order of the checks. */
  async function run(about: string, checks: readonly Check[]): Promise<Finding[]> {
    const findings = checks.map(([check, look]) =>
      look().catch((error: unknown) => [{ level: 'fail' as const, about, check, found: reasonOf(error) }]),
    )
    return (await Promise.all(findings)).flat()
  }

  return {
    service: () =>
      run(deps.presence.mailHost, [
        ...receiverChecks(deps),
        relayCheck(deps),
        siteCheck(deps),
        paymentCheck(deps),
        keyCheck(deps),
      ]),
    domain: (name) => run(name, [...domainChecks(name, deps), spfCheck(name, deps)]),
  }
}
