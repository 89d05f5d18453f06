import { readFile, stat } from 'node:fs/promises'
import { createSecureContext, type SecureContext } from 'node:tls'
import { generate } from 'selfsigned'
import type { Logger, Metrics } from '#core/ports.ts'
import type { SmtpOptions } from './options.ts'

export interface Certificate {
  /** What the next handshake uses. */
  current(): SecureContext
  close(): void
}

const SELF_MADE_DAYS = 3650

/**
 * The STARTTLS certificate: from files, taken up anew when they change (read by polling, because certbot and Kubernetes
 * swap links, which file watchers miss), or made for `hostname`. Rejects where files are given and can't be used; later a
 * bad pair, half written say, leaves the old one in use and is looked at again.
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
  let version = await versionOf(paths)
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

async function fromFiles(files: NonNullable<SmtpOptions['certificate']>): Promise<SecureContext> {
  const [cert, key] = await Promise.all([readFile(files.certFile), readFile(files.keyFile)])
  return createSecureContext({ cert, key })
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
  return createSecureContext({ cert: made.cert, key: made.private })
}
