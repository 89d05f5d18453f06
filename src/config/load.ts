import type { Setting } from './setting.ts'
import { type Config, type Key, PREFIX, table } from './table.ts'

/** A setting that can't be used. The message is one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** What the errors of a file system mean. */
const FILE_ERRORS: Record<string, string> = {
  EACCES: 'this user may not read or write',
  EEXIST: 'is a link that leads nowhere',
  EISDIR: 'is a directory',
  ENAMETOOLONG: 'is a name that is too long',
  ENOENT: 'is not there, or can not be made',
  ENOSPC: 'is on a disk that is full',
  ENOTDIR: 'is not a directory',
  EPERM: 'nobody may write',
  EROFS: 'is on a file system that is read-only',
}

/** What an error of the file system says of a path: the second half of a sentence about it. */
export function faultOfPath(cause: unknown): string {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return `${FILE_ERRORS[code] ?? 'can not be used'} (${message})`
}

/** That the file system refuses the path of a setting. */
export function badPath(key: Key, path: string, cause: unknown): ConfigError {
  return new ConfigError(`${PREFIX}${key} is ${JSON.stringify(path)}, which ${faultOfPath(cause)}`, { cause })
}

/** Values that are never printed, not even where they are wrong. */
const SECRETS = new Set<Key>([
  'SECRET_KEY',
  'DATABASE_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'BTCPAY_API_KEY',
  'BTCPAY_WEBHOOK_SECRET',
  'OUTBOUND_URL',
])
const KEYS = Object.keys(table) as Key[]
const givenTo = new WeakMap<Config, ReadonlySet<Key>>()

/** Whether the operator set it, be it to its default. */
export const isGiven = (config: Config, key: Key): boolean => givenTo.get(config)?.has(key) ?? false

/** Reads and checks all settings. Throws `ConfigError` for an unknown `MAYFLY_` name or a bad value. */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  for (const name of Object.keys(env)) {
    if (name.startsWith(PREFIX) && !KEYS.includes(name.slice(PREFIX.length) as Key)) {
      const near = nearest(name.slice(PREFIX.length))
      throw new ConfigError(`${name} is not a setting of Mayfly${near ? `; did you mean ${PREFIX}${near}?` : ''}`)
    }
  }
  const config = Object.fromEntries(KEYS.map((key) => [key, read(key, env[PREFIX + key])])) as Config
  checkTogether(config)
  givenTo.set(config, new Set(KEYS.filter((key) => env[PREFIX + key]?.trim())))
  return Object.freeze(config)
}

function read(key: Key, given: string | undefined): unknown {
  const { kind, fallback }: Setting = table[key]
  // An empty variable is an unset one, as in compose files and shells.
  const text = given?.trim() || fallback
  if (text === undefined) return undefined
  try {
    const value = kind.read(text)
    return Array.isArray(value) ? Object.freeze(value) : value
  } catch (error) {
    const found = SECRETS.has(key) ? 'not valid' : JSON.stringify(text)
    throw new ConfigError(`${PREFIX}${key} is ${found}; expected is ${(error as Error).message}`)
  }
}

/** Settings of which one alone is good for nothing. */
const TOGETHER: readonly (readonly Key[])[] = [
  ['SMTP_TLS_CERT_FILE', 'SMTP_TLS_KEY_FILE'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['BTCPAY_URL', 'BTCPAY_STORE_ID', 'BTCPAY_API_KEY', 'BTCPAY_WEBHOOK_SECRET'],
]

function checkTogether(config: Config): void {
  if (config.SECRET_KEY !== undefined && config.SECRET_KEY_FILE !== undefined)
    throw new ConfigError(`${PREFIX}SECRET_KEY and ${PREFIX}SECRET_KEY_FILE are both set; keep one of them`)
  for (const keys of TOGETHER) {
    const missing = keys.filter((key) => config[key] === undefined)
    if (missing.length === 0 || missing.length === keys.length) continue
    const names = keys.map((key) => PREFIX + key)
    throw new ConfigError(
      `${names.slice(0, -1).join(', ')} and ${names.at(-1)} belong together; ${PREFIX}${missing[0]} is not set`,
    )
  }
  const twice = config.PREMIUM_DOMAINS.find((name) => config.DOMAINS.includes(name))
  if (twice) throw new ConfigError(`MAYFLY_PREMIUM_DOMAINS has ${twice}, which is in MAYFLY_DOMAINS already`)
}

function nearest(name: string): Key | undefined {
  const [best] = KEYS.map((key) => ({ key, away: distance(name, key) })).toSorted((a, b) => a.away - b.away)
  return best && best.away <= 3 ? best.key : undefined
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
