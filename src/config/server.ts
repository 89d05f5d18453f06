import { choice, domains, host, networks, origin, port, seconds, servers, text } from './kinds.ts'
import { limit, setting } from './setting.ts'

/** Where the service listens, and its names. */
export const server = {
  host: setting(
    'HOST',
    host,
    '127.0.0.1',
    'Host or IP address that the site and the SMTP receiver listen on; `0.0.0.0`: all IPv4 interfaces; `::`: all interfaces, IPv4 too',
    {
      essential: true,
    },
  ),
  httpPort: setting('HTTP_PORT', port, '3000', 'Port of the site and the API; 0: any free port', {
    essential: true,
  }),
  smtpPort: setting('SMTP_PORT', port, '2525', 'Port of the SMTP receiver; 0: any free port', { essential: true }),
  metricsHost: setting(
    'METRICS_HOST',
    text('a host name or an IP address', /^[\w.:-]+$/),
    '127.0.0.1',
    'Host or IP address that `/metrics` for Prometheus listens on, apart from the site; never one that the public can reach',
  ),
  metricsPort: setting(
    'METRICS_PORT',
    port,
    undefined,
    'Port of `/metrics`; 0: any free port; unset: 9464, or any free port if that is taken',
  ),
  publicUrl: setting(
    'PUBLIC_URL',
    origin,
    undefined,
    'URL at which visitors reach the site; unset: `MAYFLY_HOST`, or localhost if that is local or all interfaces, and the port',
    { essential: true },
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    networks,
    '127.0.0.1,::1',
    'Proxies in front of the site whose `X-Forwarded-For` names the client; rate limits use that IP address',
    { essential: true },
  ),
  domains: setting('DOMAINS', domains(1), 'mayfly.test,dayfly.test', 'Free mail domains', { essential: true }),
  premiumDomains: setting(
    'PREMIUM_DOMAINS',
    domains(0),
    'vip.mayfly.test',
    'Premium mail domains; none by default if `MAYFLY_DOMAINS` is set',
    { essential: true, emptyWith: 'DOMAINS' },
  ),
  dnsServers: setting(
    'DNS_SERVERS',
    servers,
    '',
    "Name servers for SPF, DKIM, DMARC and subscribers' domains; empty: the system's",
  ),
  logLevel: setting('LOG_LEVEL', choice('debug', 'info', 'warn', 'error'), 'info', 'The lowest level that is logged'),
  drainTime: setting(
    'DRAIN_SECONDS',
    seconds(0, 600),
    '0',
    'How long the service still accepts connections at a stop while `/readyz` returns 503, so that load balancers notice',
  ),
  shutdownGrace: limit(
    'SHUTDOWN_SECONDS',
    seconds(0, 600),
    '10',
    'How long transfers in progress may take to finish at a stop',
  ),
}
