import { constants } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { DAY } from '#core/time.ts'
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
 * such as a half-written pair, the current certificate stays in use and the files are checked again.
 */
export async function loadCertificate(
  options: Pick<SmtpOptions, 'hostname' | 'certificate' | 'certificateCheckInterval'>,
  deps: { logger: Logger; metrics: Metrics },
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
  const paths = [files.certFile, files.keyFile]
  // If stat fails, so does reading the files, and that error names the file.
  let version = await versionOf(paths).catch(() => '')
  let context = await fromFiles(files)

  const check = async (): Promise<void> => {
    try {
      const latest = await versionOf(paths)
      if (latest === version) return
      context = await fromFiles(files)
      version = latest
      deps.metrics.count('smtp_certificate_loads', { outcome: 'loaded' })
      deps.logger.info({}, 'SMTP certificate reloaded')
    } catch (error) {
      deps.metrics.count('smtp_certificate_loads', { outcome: 'failed' })
      deps.logger.warn({ reason: errorCodeOf(error) }, 'New SMTP certificate cannot be used; keeping the current one')
    }
  }
  const timer = setInterval(() => void check(), options.certificateCheckInterval)
  timer.unref()
  return { current: async () => context, close: () => clearInterval(timer) }
}

/** The code of an error of the file system or of OpenSSL. */
function errorCodeOf(error: unknown): string | undefined {
  const { code } = (error instanceof CertificateError ? error.cause : error) as NodeJS.ErrnoException
  return code
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
