/** Environment variables, undefined if they are unset. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The URL that each set of such variables has for its port. */
const URL_NAME = /^(MAYFLY(?:_\w+?)?)_PORT(?:_\d+_(?:TCP|UDP|SCTP))?$/
const URL_VALUE = /^(?:tcp|udp|sctp):\/\//
/** The other variables, after the name of the service. The last ones are those of Docker. */
const OTHERS = /^_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)_(?:PROTO|PORT|ADDR)|ENV_\w+)$/
/** The names of both containers in a Docker link. `MAYFLY_OPERATOR_NAME` never looks like this. */
const CONTAINERS = /^\/[\w.-]+\/[\w.-]+$/

/**
 * Leaves out the variables that Kubernetes sets for each Service (`enableServiceLinks`) and Docker for each link: a
 * Service named `mayfly-smtp` makes `MAYFLY_SMTP_PORT=tcp://10.96.1.2:25` and others.
 */
export function withoutServiceLinks(env: Environment): Environment {
  const services = new Set<string>()
  const urls = new Set<string>()
  for (const [name, value = ''] of Object.entries(env)) {
    const service = URL_VALUE.test(value) ? URL_NAME.exec(name)?.[1] : undefined
    if (service === undefined) continue
    services.add(service)
    urls.add(name)
  }
  if (services.size === 0) return env
  const isOf = (service: string, name: string, value: string): boolean =>
    name.startsWith(service) &&
    (OTHERS.test(name.slice(service.length)) || (name === `${service}_NAME` && CONTAINERS.test(value)))
  const others = Object.entries(env).filter(
    ([name, value = '']) => !urls.has(name) && ![...services].some((service) => isOf(service, name, value)),
  )
  return Object.fromEntries(others)
}
