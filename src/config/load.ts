import { closest, distance } from 'fastest-levenshtein'
import { stepOf } from '#core/billing/currency.ts'
import { RECEIVING_SHARE } from './mailbox.ts'
import { type Environment, withoutServiceLinks } from './service-links.ts'
import type { Setting } from './setting.ts'
import { type Config, groups, type Key, PREFIX, RETIRED } from './table.ts'

/** A setting that cannot be used. The message is one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Descriptions of file system errors, as predicates of a sentence about the path. */
const FILE_ERRORS: Record<string, string> = {
  EACCES: 'this user has no permission to read or write',
  EEXIST: 'is a broken link',
  EISDIR: 'is a directory',
  ENAMETOOLONG: 'is a name that is too long',
  ENOENT: 'does not exist and cannot be created',
  ENOSPC: 'is on a full disk',
  ENOTDIR: 'is not a directory',
  EPERM: 'is write-protected',
  EROFS: 'is on a read-only file system',
}

/** Describes a file system error as the predicate of a sentence about the path. */
export function describePathError(cause: unknown): string {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return `${FILE_ERRORS[code] ?? 'cannot be used'} (${message})`
}

/** Returns the error for a setting whose path the file system refuses. */
export function pathError(key: Key, path: string, cause: unknown): ConfigError {
  return new ConfigError(`${PREFIX}${key} is ${JSON.stringify(path)}, which ${describePathError(cause)}`, { cause })
}

const groupEntries = Object.entries(groups) as [keyof typeof groups, Record<string, Setting<Key>>][]
const all: readonly Setting<Key>[] = groupEntries.flatMap(([, group]) => Object.values(group))
export const settings = all.filter(({ isLimit }) => !isLimit)
export const limits = all.filter(({ isLimit }) => isLimit)
const KEYS = all.map(({ key }) => key)
const FORMER = Object.keys(RETIRED) as (keyof typeof RETIRED)[]

/** Whether the operator set a setting, even to its default. */
export const isGiven = (config: Config, key: Key): boolean => config.given.has(key)

/** The environment with other defaults for some settings. */
export const withDefaults = (defaults: Environment, env: Environment = process.env): Environment => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(withoutServiceLinks(env)).filter(([, value]) => value?.trim())),
})

/** Reads and checks all settings and limits. Throws `ConfigError` for an unknown `MAYFLY_` name or a bad value. */
export function loadConfig(given: Environment = process.env): Config {
  const env = withoutServiceLinks(given)
  const known = new Set<string>([...KEYS, ...FORMER])
  for (const name of Object.keys(env)) {
    if (name.startsWith(PREFIX) && !known.has(name.slice(PREFIX.length))) {
      const near = nearest(name.slice(PREFIX.length))
      throw new ConfigError(`${name} is not a setting of Mayfly${near ? `; did you mean ${PREFIX}${near}?` : ''}`)
    }
  }
  const values = groupEntries.map(([name, group]) => {
    const read = Object.entries(group).map(([option, setting]) => [option, valueOf(setting, env)])
    return [name, Object.freeze(Object.fromEntries(read))]
  })
  const isSet = (key: string): boolean => Boolean(env[PREFIX + key]?.trim())
  const config = Object.freeze({
    ...Object.fromEntries(values),
    given: new Set(KEYS.filter(isSet)),
    ignored: FORMER.filter(isSet),
  }) as Config
  checkTogether(config)
  return config
}

function valueOf({ key, kind, fallback, secret, emptyWith }: Setting<Key>, env: Environment): unknown {
  // An empty variable counts as unset, as in compose files and shells.
  const given = (name: string): string | undefined => env[PREFIX + name]?.trim() || undefined
  const text = given(key) ?? (emptyWith !== undefined && given(emptyWith) ? '' : fallback)
  if (text === undefined) return undefined
  try {
    const value = kind.read(text)
    return Array.isArray(value) ? Object.freeze(value) : value
  } catch (error) {
    const shownValue = secret ? 'not valid' : JSON.stringify(text)
    throw new ConfigError(`${PREFIX}${key} is ${shownValue}; expected ${(error as Error).message}`)
  }
}

/** Settings that must be set together. */
const TOGETHER: readonly (readonly Key[])[] = [
  ['SMTP_TLS_CERT_FILE', 'SMTP_TLS_KEY_FILE'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['BTCPAY_URL', 'BTCPAY_STORE_ID', 'BTCPAY_API_KEY', 'BTCPAY_WEBHOOK_SECRET'],
]

function checkTogether(config: Config): void {
  if (isGiven(config, 'SECRET_KEY') && isGiven(config, 'SECRET_KEY_FILE'))
    throw new ConfigError(`${PREFIX}SECRET_KEY and ${PREFIX}SECRET_KEY_FILE are both set; keep one of them`)
  for (const keys of TOGETHER) {
    const missing = keys.filter((key) => !isGiven(config, key))
    if (missing.length === 0 || missing.length === keys.length) continue
    const names = keys.map((key) => PREFIX + key)
    throw new ConfigError(
      `${names.slice(0, -1).join(', ')} and ${names.at(-1)} must be set together; ${PREFIX}${missing[0]} is not set`,
    )
  }
  const duplicate = config.server.premiumDomains.find((name) => config.server.domains.includes(name))
  if (duplicate) throw new ConfigError(`MAYFLY_PREMIUM_DOMAINS has ${duplicate}, which is already in MAYFLY_DOMAINS`)
  checkPrices(config)
  checkStorage(config)
  checkMemory(config)
}

/** Providers refuse or round amounts that can't be charged, so the page would show another price. */
function checkPrices({ premium: { currency, monthPrice, yearPrice, cryptoYearPrice } }: Config): void {
  const step = stepOf(currency)
  const prices: readonly (readonly [Key, number])[] = [
    ['PREMIUM_MONTH_CENTS', monthPrice],
    ['PREMIUM_YEAR_CENTS', yearPrice],
    ['PREMIUM_CRYPTO_YEAR_CENTS', cryptoYearPrice],
  ]
  const [key, price] = prices.find(([, each]) => each % step !== 0) ?? []
  if (key === undefined) return
  throw new ConfigError(
    `${PREFIX}${key} is ${price}; expected a multiple of ${step}, because no smaller part of ${currency} can be charged`,
  )
}

/** A message that is larger than the storage of an empty address would be refused with a temporary error for ever. */
function checkStorage({ mailbox, premium }: Config): void {
  const pairs: readonly (readonly [Key, number, Key, number])[] = [
    ['MESSAGE_MAX_BYTES', mailbox.maxMessageBytes, 'ADDRESS_STORAGE_BYTES', mailbox.storageBytes],
    ['PREMIUM_MESSAGE_MAX_BYTES', premium.maxMessageBytes, 'PREMIUM_STORAGE_BYTES', premium.storageBytes],
  ]
  for (const [key, largest, storageKey, storage] of pairs) {
    if (largest <= storage) continue
    throw new ConfigError(
      `${PREFIX}${key} is ${largest}; expected at most ${storage} bytes, because ${PREFIX}${storageKey} is ${storage}`,
    )
  }
}

/** The memory that a received message needs in addition to its size, for its trace header and dot stuffing. */
const TRANSFER_BYTES = 1024 * 1024

/** Without this memory, the largest messages are refused with a temporary error however often they are sent. */
function checkMemory({ mailbox, premium }: Config): void {
  const key: Key = mailbox.maxMessageBytes > premium.maxMessageBytes ? 'MESSAGE_MAX_BYTES' : 'PREMIUM_MESSAGE_MAX_BYTES'
  const largest = Math.max(mailbox.maxMessageBytes, premium.maxMessageBytes)
  const needed = (largest + TRANSFER_BYTES) / RECEIVING_SHARE
  if (mailbox.memoryBytes >= needed) return
  throw new ConfigError(
    `${PREFIX}MAIL_MEMORY_BYTES is ${mailbox.memoryBytes}; expected at least ${needed} bytes, because ${PREFIX}${key} is ${largest}`,
  )
}

function nearest(name: string): Key | undefined {
  const best = closest(name, KEYS)
  return distance(name, best) <= 3 ? (best as Key) : undefined
}
