import { choice, domains, host, networks, origin, port, seconds, servers, text } from './kinds.ts'
import { setting } from './setting.ts'

/** Where the service listens and how it is known. */
export const server = {
  host: setting('HOST', host, '127.0.0.1', 'Where the page and SMTP listen; `0.0.0.0` for all interfaces', {
    essential: true,
  }),
  httpPort: setting('HTTP_PORT', port, '3000', 'Port of the page and the API; 0 takes any free one', {
    essential: true,
  }),
  smtpPort: setting('SMTP_PORT', port, '2525', 'Port of the SMTP receiver; 0 takes any free one', { essential: true }),
  metricsHost: setting(
    'METRICS_HOST',
    text('a host name or an IP address', /^[\w.:-]+$/),
    '127.0.0.1',
    'Where `/metrics` for Prometheus listens, apart from the page; never an address that the public reaches',
  ),
  metricsPort: setting(
    'METRICS_PORT',
    port,
    undefined,
    'Port of `/metrics`; 0 takes any free one; unset: 9464, or any free one where that is taken',
  ),
  publicUrl: setting(
    'PUBLIC_URL',
    origin,
    undefined,
    'The address under which visitors reach the page; unset: http://localhost and the port',
    { essential: true },
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    networks,
    '127.0.0.1,::1',
    'Proxies before the page whose `X-Forwarded-For` names the visitor: limits count visitors by it',
    { essential: true },
  ),
  domains: setting('DOMAINS', domains(1), 'mayfly.test,dayfly.test', 'Free mail domains', { essential: true }),
  premiumDomains: setting('PREMIUM_DOMAINS', domains(0), 'vip.mayfly.test', 'Premium mail domains', {
    essential: true,
  }),
  dnsServers: setting(
    'DNS_SERVERS',
    servers,
    '',
    "Name servers for SPF, DKIM, DMARC and subscribers' domains; empty: the system's",
  ),
  logLevel: setting(
    'LOG_LEVEL',
    choice('debug', 'info', 'warn', 'error'),
    'info',
    'The least important kind of line in the log',
  ),
  drainTime: setting(
    'DRAIN_SECONDS',
    seconds(0, 600),
    '0',
    'How long a stop still takes new connections while `/readyz` says 503, for load balancers to notice',
  ),
  shutdownGrace: setting(
    'SHUTDOWN_SECONDS',
    seconds(0, 600),
    '10',
    'How long mails on their way may take to arrive at a stop',
  ),
}
