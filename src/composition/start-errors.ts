import { pathError, ConfigError } from '#config/load.ts'
import { type Config, type Key, PREFIX } from '#config/table.ts'
import { MayflyError } from '#core/errors.ts'
import { DATABASE_FILE } from '#core/store.ts'
import { CertificateError } from '#smtp/certificate.ts'

/* Errors at the start, as one line that names the setting. Each function returns what to throw. */

/** Why the configured address can't be listened on. */
export function listenError(
  config: Config,
  portKey: 'HTTP_PORT' | 'SMTP_PORT' | 'METRICS_PORT',
  error: unknown,
): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const { host: siteHost, metricsHost, httpPort, smtpPort, metricsPort } = config.server
  const ports = { HTTP_PORT: httpPort, SMTP_PORT: smtpPort, METRICS_PORT: metricsPort }
  const host =
    portKey === 'METRICS_PORT' ? `${PREFIX}METRICS_HOST is "${metricsHost}"` : `${PREFIX}HOST is "${siteHost}"`
  const port = `${PREFIX}${portKey} is "${ports[portKey]}"`
  switch (code) {
    case undefined:
      return error
    case 'EADDRINUSE':
      return new ConfigError(`${port}, a port that is taken; choose another one: ${message}`)
    case 'EACCES':
      return new ConfigError(`${port}, a port that this user may not use; choose one from 1024 on: ${message}`)
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_NODATA':
      return new ConfigError(`${host}, a name that has no IP address: ${message}`)
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return new ConfigError(`${host}, which is not an address of this machine: ${message}`)
    default:
      return new ConfigError(`${host} and ${port}: ${message}`)
  }
}

/** Which file of the certificate can't be used. */
export function certificateError(config: Config, error: unknown): unknown {
  if (!(error instanceof CertificateError)) return error
  const key: Key = error.file === 'certFile' ? 'SMTP_TLS_CERT_FILE' : 'SMTP_TLS_KEY_FILE'
  return fileError(key, config.smtp[error.file] ?? '', error.cause)
}

/** Why a file that a setting names can't be read. */
export function fileError(key: Key, path: string, error: unknown): ConfigError {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT')
    return new ConfigError(`${PREFIX}${key} is ${JSON.stringify(path)}, which does not exist (${message})`)
  if (syscall !== undefined) return pathError(key, path, error)
  return new ConfigError(`${PREFIX}${key} is ${JSON.stringify(path)}, which cannot be used (${message})`)
}

/** Why the embedded database can't be opened. */
export function databaseError(config: Config, error: unknown): unknown {
  if (config.storage.databaseUrl !== undefined) return error
  const cause = error instanceof MayflyError && error.cause instanceof Error ? error.cause : (error as Error)
  if ('syscall' in cause) return pathError('DATA_DIR', config.storage.directory, cause)
  return new ConfigError(
    `${PREFIX}DATA_DIR is "${config.storage.directory}", where ${DATABASE_FILE} cannot be opened: ${cause.message}`,
  )
}
