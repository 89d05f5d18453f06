import { allDomains, type Finding } from '#features/operating/index.ts'
import { type Command, replaceControls } from './command.ts'
import { domainArgument } from './dns.ts'

const LEVEL_WIDTH = 5

/** Formats a finding as one line. Control characters are replaced because DNS and other servers are not trusted. */
const line = ({ level, about, check, found, advice }: Finding): string =>
  replaceControls(
    `${level.padEnd(LEVEL_WIDTH)}${about}  ${check}: ${found}${advice === undefined ? '' : ` -> ${advice}`}`,
  ).replaceAll(/\s*[\r\n\t]\s*/g, ' ')

export const doctor: Command = {
  usage: 'doctor [DOMAIN]',
  about: 'Check DNS records, receiver, site, certificates, relay and blocklists as others see them',
  async run({ args, print, open }) {
    const requested = domainArgument(args, this.usage)
    const services = await open()
    try {
      const domains = requested === undefined ? allDomains(services.presence) : [requested]
      const checks = [services.doctor.service(), ...domains.map((domain) => services.doctor.domain(domain))]
      const findings = (await Promise.all(checks)).flat()
      for (const finding of findings) print(line(finding))
      const failed = findings.filter(({ level }) => level === 'fail').length
      if (failed > 0) throw new Error(`${failed} of ${findings.length} checks failed`)
    } finally {
      await services.close()
    }
  },
}
