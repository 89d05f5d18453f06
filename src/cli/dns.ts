import { domainToASCII } from 'node:url'
import { isDomainName } from '#core/mailbox/domain.ts'
import { allDomains, zoneLines } from '#features/operating/index.ts'
import { withoutSeparator } from './arguments.ts'
import { type Command, UsageError } from './command.ts'

/** Returns the domain in the arguments, in ASCII. Undefined if there is no argument. Throws `UsageError`. */
export function domainArgument(args: readonly string[], usage: string): string | undefined {
  const [given, ...more] = withoutSeparator(args)
  if (given === undefined) return undefined
  const domain = domainToASCII(given.replace(/\.$/, ''))
  if (more.length > 0 || !isDomainName(domain)) throw new UsageError(`Usage: mayfly ${usage}`)
  return domain
}

export const dns: Command = {
  usage: 'dns [DOMAIN]',
  about: 'Print the DNS records that one domain or all domains of the service need, ready for a zone file',
  async run({ args, print, open }) {
    const requested = domainArgument(args, this.usage)
    const services = await open()
    try {
      const { presence } = services
      const domains = requested === undefined ? allDomains(presence) : [requested]
      const zones = await Promise.all(domains.map((domain) => zoneLines(domain, presence)))
      for (const [index, lines] of zones.entries()) {
        if (index > 0) print('')
        for (const line of lines) print(line)
      }
    } finally {
      await services.close()
    }
  },
}
