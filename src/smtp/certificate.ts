import { constants } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext, type SecureContext } from 'node:tls'
import { generate } from 'selfsigned'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { SmtpOptions } from './options.ts'

export interface Certificate {
  /** What the next handshake uses. */
  current(): SecureContext
  close(): void
}

/** A file of the certificate that can't be used: which one, and why. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
  readonly file: keyof CertificateFiles

  constructor(file: keyof CertificateFiles, cause: unknown) {
    super((cause as Error).message, { cause })
    this.file = file
  }
}

/** A second handshake costs us much more than the client (RFC 5746 is no remedy for that), and no mail server needs one. */
const SECURE_OPTIONS = { secureOptions: constants.SSL_OP_NO_RENEGOTIATION }
const SELF_MADE_DAYS = 3650

type CertificateFiles = NonNullable<SmtpOptions['certificate']>

/**
 * The STARTTLS certificate: from files, taken up anew when they change (read by polling, because certbot and Kubernetes
 * swap links, which file watchers miss), or made for `hostname`. Rejects with `CertificateError` where files are given and can't
 * be used; later a bad pair, half written say, leaves the old one in use and is looked at again.
 */
export async function loadCertificate(
  options: Pick<SmtpOptions, 'hostname' | 'certificate' | 'certificateCheckInterval'>,
  deps: { logger: Logger; metrics: Metrics },
): Promise<Certificate> {
  const files = options.certificate
  if (!files) {
    const context = await selfMade(options.hostname)
    return { current: () => context, close: () => {} }
  }
  const paths = [files.certFile, files.keyFile]
  // Files that can't be looked at can't be read either, and then the error says which one it is.
  let version = await versionOf(paths).catch(() => '')
  let context = await fromFiles(files)

  const check = async (): Promise<void> => {
    try {
      const found = await versionOf(paths)
      if (found === version) return
      context = await fromFiles(files)
      version = found
      deps.metrics.count('smtp_certificate_loads', { outcome: 'loaded' })
      deps.logger.info({}, 'SMTP certificate loaded anew')
    } catch (error) {
      deps.metrics.count('smtp_certificate_loads', { outcome: 'failed' })
      deps.logger.warn(
        { reason: (error as NodeJS.ErrnoException).code },
        'SMTP certificate not usable, the old one stays',
      )
    }
  }
  const timer = setInterval(() => void check(), options.certificateCheckInterval)
  timer.unref()
  return { current: () => context, close: () => clearInterval(timer) }
}

async function fromFiles(files: CertificateFiles): Promise<SecureContext> {
  const read = (file: keyof CertificateFiles): Promise<Buffer> =>
    readFile(files[file]).catch((error: unknown) => {
      throw new CertificateError(file, error)
    })
  const [cert, key] = await Promise.all([read('certFile'), read('keyFile')])
  contextOf('certFile', { cert })
  return contextOf('keyFile', { cert, key })
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

/** No sender verifies it without DANE or MTA-STS; it keeps listeners on the line from reading along. */
async function selfMade(hostname: string): Promise<SecureContext> {
  const notAfterDate = new Date(Date.now() + SELF_MADE_DAYS * 86_400_000)
  const made = await generate([{ name: 'commonName', value: hostname }], {
    algorithm: 'sha256',
    notAfterDate,
  })
  return createSecureContext({ cert: made.cert, key: made.private, ...SECURE_OPTIONS })
}
