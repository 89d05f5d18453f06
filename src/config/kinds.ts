import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { isDomainName } from '#core/mailbox/domain.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#core/time.ts'

/** A type of setting. */
export interface Kind<T> {
  /** Parses the text of a setting. Throws an `Error` whose message says what is expected. */
  read(text: string): T
  /** What is expected, for errors. */
  expects: string
}

const MEGABYTE = 1024 * 1024

export const integer = (min: number, max = Number.MAX_SAFE_INTEGER): Kind<number> => {
  const expects =
    max === Number.MAX_SAFE_INTEGER ? `a whole number from ${min}` : `a whole number from ${min} to ${max}`
  return {
    expects,
    read(text) {
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
      if (!(value >= min && value <= max)) throw new Error(expects)
      return value
    },
  }
}

/** A whole number of units, parsed to milliseconds. */
const duration =
  (unit: number) =>
  (min: number, max: number): Kind<number> => {
    const { expects, read } = integer(min, max)
    return { expects, read: (text) => read(text) * unit }
  }

export const seconds = duration(SECOND)
export const minutes = duration(MINUTE)
export const hours = duration(HOUR)
export const days = duration(DAY)

/** A whole number of bytes. Accepts the units KB, MB and GB (powers of 1024). */
export const bytes = (min: number, max = 1024 * 1024 * MEGABYTE): Kind<number> => {
  const expects = `bytes from ${min} to ${max}, such as 10485760, 64KB or 10MB`
  return {
    expects,
    read(text) {
      const match = /^(\d+)\s*(KB|MB|GB)?$/i.exec(text)
      const factor = { KB: 1024, MB: MEGABYTE, GB: 1024 * MEGABYTE }[match?.[2]?.toUpperCase() ?? ''] ?? 1
      const value = match ? Number(match[1]) * factor : Number.NaN
      if (!(value >= min && value <= max)) throw new Error(expects)
      return value
    },
  }
}

export const port: Kind<number> = integer(0, 65_535)

export const text = (expects: string, shape = /^[^]+$/): Kind<string> => ({
  expects,
  read(value) {
    if (!shape.test(value)) throw new Error(expects)
    return value
  },
})

/** Currencies that Node knows, but nobody can pay in: their countries have others now, or they are units of account. */
const NOT_MONEY: ReadonlySet<string> = new Set(['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'XDR', 'XSU', 'ZWL'])
const CURRENCIES = new Set(Intl.supportedValuesOf('currency').filter((code) => !NOT_MONEY.has(code)))

/** A currency that people can pay in. */
export const currency: Kind<string> = {
  expects: 'a currency code (ISO 4217), such as USD',
  read(value) {
    if (!CURRENCIES.has(value)) throw new Error(this.expects)
    return value
  },
}

export const choice = <const Choices extends readonly string[]>(...choices: Choices): Kind<Choices[number]> => {
  const expects = `one of ${choices.join(', ')}`
  return {
    expects,
    read(value) {
      if (!choices.includes(value)) throw new Error(expects)
      return value
    },
  }
}

const itemsOf = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

/** Some of the choices, separated by commas. */
export const subset = <const Choices extends readonly string[]>(
  ...choices: Choices
): Kind<readonly Choices[number][]> => {
  const expects = `one or more of ${choices.join(', ')}, separated by commas`
  return {
    expects,
    read(value) {
      const items = itemsOf(value)
      if (items.length === 0 || !items.every((item) => choices.includes(item))) throw new Error(expects)
      return [...new Set(items)]
    },
  }
}

export const list = (expects: string, shape: RegExp): Kind<readonly string[]> => ({
  expects,
  read(value) {
    const items = itemsOf(value)
    if (items.some((item) => !shape.test(item))) throw new Error(expects)
    return items
  },
})

/**
 * Whether a text is a host name or an IP address. A name must not end with a numeric label: URL parsers read it as an IPv4
 * address (WHATWG URL 4.2).
 */
function isHost(value: string): boolean {
  if (isIP(value) !== 0) return !value.includes('%')
  const isNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i.test(value)
  return /^[\w-]+(?:\.[\w-]+)*\.?$/.test(value) && URL.canParse(`http://${value}`) && !isNumber
}

/** A host to listen on. */
export const host: Kind<string> = {
  expects: 'a host name or an IP address',
  read(value) {
    if (!isHost(value)) throw new Error(this.expects)
    return value
  },
}

/** The name of a host, without a dot at its end. */
export const hostName: Kind<string> = {
  expects: 'a host name',
  read(value) {
    if (isIP(value) !== 0 || value.startsWith('-') || !isHost(value)) throw new Error(this.expects)
    return value.replace(/\.$/, '')
  },
}

/** IP addresses of servers with an optional port. IPv6 addresses are in brackets. */
export const servers: Kind<readonly string[]> = {
  expects: 'IP addresses, with a port where needed, separated by commas',
  read(value) {
    const items = itemsOf(value)
    const valid = items.every((item) => {
      const [, ip4, ip6, at = '53'] = /^(?:([\d.]+)|\[([0-9a-f:.]+)\])(?::(\d{1,5}))?$/i.exec(item) ?? []
      return (isIP(ip4 ?? '') === 4 || isIP(ip6 ?? '') === 6) && Number(at) >= 1 && Number(at) <= 65_535
    })
    if (!valid) throw new Error(this.expects)
    return items
  },
}

/**
 * IP addresses and networks (CIDR). Networks that hold all addresses are rejected, because these addresses are trusted.
 */
export const networks: Kind<readonly string[]> = {
  expects: 'IP addresses or networks such as 10.0.0.0/8, separated by commas',
  read(value) {
    const items = itemsOf(value)
    const valid = items.every((item) => {
      const [ip = '', bits, ...more] = item.split('/')
      const length = bits === undefined || /^\d{1,3}$/.test(bits) ? Number(bits ?? 1) : Infinity
      return more.length === 0 && isIP(ip) !== 0 && length >= 1 && length <= (isIP(ip) === 4 ? 32 : 128)
    })
    if (!valid) throw new Error(this.expects)
    return items
  },
}

/** Mail domains, parsed to ASCII in lower case. Duplicates are rejected. */
export const domains = (min: number): Kind<readonly string[]> => {
  const expects = `${min > 0 ? 'one or more ' : ''}domain names, separated by commas`
  return {
    expects,
    read(value) {
      const names = itemsOf(value).map((name) => domainToASCII(name.replace(/\.$/, '')))
      // `domainToASCII` makes an IPv4 address of numbers: 1.5 becomes 1.0.0.5.
      if (!names.every((name) => isDomainName(name) && isIP(name) === 0) || names.length < min) throw new Error(expects)
      const twice = names.find((name, i) => names.indexOf(name) < i)
      if (twice !== undefined) throw new Error(`${expects}, each of them once: ${twice} is there twice`)
      return names
    },
  }
}

/** One mail domain. */
export const domain: Kind<string> = {
  expects: 'a domain name',
  read(value) {
    const [name, ...more] = domains(1).read(value)
    if (name === undefined || more.length > 0) throw new Error(this.expects)
    return name
  },
}

/** The modes that the driver understands as psql does. It would take `allow` for `verify-full`. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full']

/** A PostgreSQL URL with the parameters of libpq. */
export const databaseUrl: Kind<string> = {
  expects: 'postgres://user:password@host:5432/database',
  read(value) {
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (!url || !/^postgres(?:ql)?:$/.test(url.protocol) || url.pathname.length < 2) throw new Error(this.expects)
    if (!isPercentEncoded(url.username) || !isPercentEncoded(url.password))
      throw new Error(`${this.expects}, with % in name and password written as %25`)
    const mode = url.searchParams.get('sslmode')
    if (mode !== null && !SSL_MODES.includes(mode))
      throw new Error(`${this.expects}, with sslmode ${SSL_MODES.slice(0, -1).join(', ')} or ${SSL_MODES.at(-1)}`)
    return value
  },
}

/** An http or https URL without path, query or credentials, parsed to one without a trailing slash. */
export const origin: Kind<string> = {
  expects: 'an http:// or https:// URL without a path, such as https://mayfly.example',
  read(value) {
    const url = URL.canParse(value) ? new URL(value) : undefined
    const plain =
      url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username
    if (!plain) throw new Error(this.expects)
    return url.origin
  },
}

/** An http or https URL. */
export const url: Kind<string> = {
  expects: 'an http:// or https:// URL',
  read(value) {
    if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) throw new Error(this.expects)
    return new URL(value).href
  },
}

/** The URL of an SMTP relay. */
export const outboundUrl: Kind<string> = {
  expects: 'smtp://user:password@host:587 or smtps://user:password@host',
  read(value) {
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '') throw new Error(this.expects)
    if (!isPercentEncoded(parsed.username) || !isPercentEncoded(parsed.password))
      throw new Error(`${this.expects}, with % in name and password written as %25`)
    return value
  },
}

function isPercentEncoded(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
