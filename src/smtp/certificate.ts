import { constants, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext, type SecureContext } from 'node:tls'
import { RENEWAL_TIME } from '#core/operating/renewal.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { type Clock, DAY, HOUR, SECOND } from '#core/time.ts'
import type { SmtpOptions } from './options.ts'

export interface Certificate {
  /** Returns the context for the next handshake. */
  current(): Promise<SecureContext>
  close(): void
}

/** A certificate or key file that cannot be used. `cause` is the reason. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
  readonly file: keyof CertificateFiles

  constructor(file: keyof CertificateFiles, cause: unknown) {
    super((cause as Error).message, { cause })
    this.file = file
  }
}

/**
 * Renegotiation costs the server much more than the client (RFC 5746 does not change that), and no mail server needs
 * it.
 */
const SECURE_OPTIONS = { secureOptions: constants.SSL_OP_NO_RENEGOTIATION }
const SELF_SIGNED_DAYS = 3650

type CertificateFiles = NonNullable<SmtpOptions['certificate']>

/**
 * Loads the STARTTLS certificate from its files, or creates a self-signed one for `hostname` at the first handshake if
 * no files are given. The files are polled for changes, because certbot and Kubernetes swap symbolic links, and file
 * watchers miss that. Rejects with `CertificateError` if the files cannot be used. If a later version cannot be used,
 * such as a half-written pair, the current certificate stays in use and the files are checked again. The log says so at
 * once, and each hour as an error. It warns once a day of a certificate that expires soon.
 */
export async function loadCertificate(
  options: Pick<SmtpOptions, 'hostname' | 'certificate' | 'certificateCheckInterval'>,
  deps: { logger: Logger; metrics: Metrics; clock: Clock },
): Promise<Certificate> {
  const files = options.certificate
  if (!files) {
    let context: Promise<SecureContext> | undefined
    const make = async (): Promise<SecureContext> => {
      try {
        return await selfSigned(options.hostname)
      } catch (error) {
        // The next handshake tries again.
        context = undefined
        throw error
      }
    }
    return { current: () => (context ??= make()), close: () => {} }
  }
  const { logger, metrics, clock } = deps
  const paths = [files.certFile, files.keyFile]
  // If stat fails, so does reading the files, and that error names the file.
  let version = await versionOf(paths).catch(() => '')
  let loaded = await readCertificate(files)
  let warnedAt = -Infinity
  let failing: { since: number; loggedAt: number; reason: string | undefined } | undefined

  function watchEnd(): void {
    metrics.gauge('smtp_certificate_expiry_timestamp_seconds', loaded.expiresAt / SECOND)
    const left = loaded.expiresAt - clock()
    if (left >= RENEWAL_TIME || clock() - warnedAt < DAY) return
    warnedAt = clock()
    if (left > 0) logger.warn({ days: Math.floor(left / DAY) }, 'SMTP certificate expires soon: check its renewal')
    else logger.error({}, 'SMTP certificate has expired: check its renewal')
  }

  function reportFailure(error: unknown): void {
    metrics.count('smtp_certificate_loads', { outcome: 'failed' })
    const [now, reason] = [clock(), errorCodeOf(error)]
    failing ??= { since: now, loggedAt: -Infinity, reason }
    if (reason === failing.reason && now - failing.loggedAt < HOUR) return
    failing = { ...failing, loggedAt: now, reason }
    const level = now - failing.since < HOUR ? 'warn' : 'error'
    logger[level]({ reason }, 'New SMTP certificate cannot be used; keeping the current one')
  }

  const check = async (): Promise<void> => {
    try {
      const latest = await versionOf(paths)
      if (latest !== version) {
        loaded = await readCertificate(files)
        version = latest
        metrics.count('smtp_certificate_loads', { outcome: 'loaded' })
        logger.info({}, 'SMTP certificate reloaded')
        warnedAt = -Infinity
        watchEnd()
      }
      failing = undefined
    } catch (error) {
      reportFailure(error)
    }
  }
  watchEnd()
  const timer = setInterval(() => {
    watchEnd()
    void check()
  }, options.certificateCheckInterval)
  timer.unref()
  return { current: async () => loaded.context, close: () => clearInterval(timer) }
}

/** The code of an error of the file system or of OpenSSL. */
function errorCodeOf(error: unknown): string | undefined {
  const { code } = (error instanceof CertificateError ? error.cause : error) as NodeJS.ErrnoException
  return code
}

/** Reads the files. Rejects with `CertificateError` if they cannot be used. */
export async function readCertificate(files: CertificateFiles): Promise<{ context: SecureContext; expiresAt: number }> {
  const read = (file: keyof CertificateFiles): Promise<Buffer> =>
    readFile(files[file]).catch((error: unknown) => {
      throw new CertificateError(file, error)
    })
  const [cert, key] = await Promise.all([read('certFile'), read('keyFile')])
  contextOf('certFile', { cert })
  return {
    context: contextOf('keyFile', { cert, key }),
    // The first certificate of the chain.
    expiresAt: new X509Certificate(cert).validToDate.getTime(),
  }
}

function contextOf(file: keyof CertificateFiles, pair: { cert: Buffer; key?: Buffer }): SecureContext {
  try {
    return createSecureContext({ ...pair, ...SECURE_OPTIONS })
  } catch (error) {
    throw new CertificateError(file, error)
  }
}

async function versionOf(paths: string[]): Promise<string> {
  const stats = await Promise.all(paths.map((path) => stat(path, { bigint: true })))
  return stats.map(({ ino, size, mtimeNs }) => `${ino}.${size}.${mtimeNs}`).join(' ')
}

/** Senders do not verify the certificate without DANE or MTA-STS. It protects against passive eavesdropping. */
async function selfSigned(hostname: string): Promise<SecureContext> {
  // Imported only if it is needed, because the import takes half a second of CPU time.
  const { generate } = await import('selfsigned')
  const notAfterDate = new Date(Date.now() + SELF_SIGNED_DAYS * DAY)
  const { cert, private: key } = await generate([{ name: 'commonName', value: hostname }], {
    algorithm: 'sha256',
    notAfterDate,
  })
  return createSecureContext({ cert, key, ...SECURE_OPTIONS })
}
