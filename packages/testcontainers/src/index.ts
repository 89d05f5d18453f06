/** Mayfly in a container, for tests. */
import { createInbox, type CreateOptions, type Inbox } from '@mayfly/client'
import { AbstractStartedContainer, GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'

export { type Inbox, MayflyError, WaitTimeoutError } from '@mayfly/client'

const HTTP_PORT = 3000
const SMTP_PORT = 2525
/** Milliseconds. */
const STARTUP_TIMEOUT = 60_000

/**
 * On its own machine the service offers no STARTTLS with a self-signed certificate, accepts any AUTH and has no limits
 * per client. Clients of a container are on another machine, so these variables set the same. They are those of
 * `deploy/tests.env`.
 */
const FOR_TESTS = {
  MAYFLY_SMTP_STARTTLS: 'off',
  MAYFLY_SMTP_AUTH: 'on',
  MAYFLY_SMTP_CONNECTIONS_PER_IP_MAX: '1000000',
  MAYFLY_SMTP_CONNECTIONS_PER_NETWORK_MAX: '1000000',
  MAYFLY_SMTP_SESSION_COMMANDS_MAX: '1000000',
  MAYFLY_SMTP_SESSION_MESSAGES_MAX: '1000000',
  MAYFLY_SMTP_DELAYED_SESSIONS_PER_IP_MAX: '1000000',
  MAYFLY_SMTP_BYTES_PER_HOUR: '1000GB',
  MAYFLY_SMTP_REFUSED_RECIPIENTS_PER_HOUR: '1000000000',
  MAYFLY_HTTP_CONNECTIONS_PER_IP_MAX: '1000000',
  MAYFLY_STREAMS_PER_IP_MAX: '1000000',
  MAYFLY_API_REQUESTS_PER_SECOND: '1000000',
  MAYFLY_PAGE_REQUESTS_PER_SECOND: '1000000',
  MAYFLY_ADDRESS_CREATE_BURST: '1000000',
  MAYFLY_PAYMENT_EVENTS_PER_SECOND: '1000000',
  MAYFLY_SUPPORT_BURST: '1000000',
  MAYFLY_SIGN_IN_BURST: '1000000',
  MAYFLY_ORDER_BURST: '1000000',
  MAYFLY_FORWARD_ASK_BURST: '1000000',
  MAYFLY_DOMAIN_CHECK_BURST: '1000000',
  MAYFLY_WEBHOOK_TEST_BURST: '1000000',
  MAYFLY_PREMIUM_KEY_REQUESTS_PER_SECOND: '1000000',
  MAYFLY_PREMIUM_KEY_ADDRESSES_MAX: '1000000',
  MAYFLY_PREMIUM_KEYS_MAX: '1000',
}

/** A container of Mayfly for one test run. */
export class MayflyContainer extends GenericContainer {
  /** `image`: default `mayfly`, which `docker build -t mayfly .` makes in a checkout. */
  constructor(image = 'mayfly') {
    super(image)
    this.withExposedPorts(HTTP_PORT, SMTP_PORT)
      .withEnvironment(FOR_TESTS)
      .withWaitStrategy(Wait.forHttp('/readyz', HTTP_PORT))
      .withStartupTimeout(STARTUP_TIMEOUT)
  }

  /** The mail domains, for `createInbox`. Default: `mayfly.test` and `dayfly.test`. */
  withDomains(...domains: string[]): this {
    return this.withEnvironment({ MAYFLY_DOMAINS: domains.join(',') })
  }

  /**
   * Requests for a host that the service does not know get 421, so it is told the name of the container engine's host.
   */
  protected override async beforeContainerCreated(): Promise<void> {
    if (this.environment['MAYFLY_PUBLIC_URL'] !== undefined) return
    const { host } = (await getContainerRuntimeClient()).info.containerRuntime
    this.withEnvironment({ MAYFLY_PUBLIC_URL: `http://${host}` })
  }

  override async start(): Promise<StartedMayflyContainer> {
    return new StartedMayflyContainer(await super.start())
  }
}

export class StartedMayflyContainer extends AbstractStartedContainer {
  /** The URL of the page and the API. */
  getUrl(): string {
    return `http://${this.getHost()}:${this.getMappedPort(HTTP_PORT)}`
  }

  getSmtpHost(): string {
    return this.getHost()
  }

  getSmtpPort(): number {
    return this.getMappedPort(SMTP_PORT)
  }

  /** Creates an inbox of this service. */
  createInbox(options: Omit<CreateOptions, 'url'> = {}): Promise<Inbox> {
    return createInbox({ ...options, url: this.getUrl() })
  }

  /** Creates an API key of this service, for `createInbox`. SMTP faults need one. */
  async createApiKey(label = 'tests'): Promise<string> {
    const { exitCode, stdout, stderr } = await this.exec(['node', 'bin/mayfly.js', 'keys', 'create', label])
    if (exitCode !== 0) throw new Error(`No API key was created: ${stderr.trim() || `exit code ${exitCode}`}`)
    return stdout.trim()
  }
}
