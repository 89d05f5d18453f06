import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import compile from 'icu-minify/compile'
import { figuresOf } from '#composition/figures.ts'
import { loadConfig } from '#config/load.ts'
import { numbersOf } from '#content/check/numbers.ts'
import { languageOf, type Messages, textOf } from '#web/i18n/text.tsx'

/** Another value for each setting that texts may mention. None has a number of the defaults in it. */
const OTHERS = {
  ADDRESS_LIFETIME_HOURS: '131',
  TEN_MINUTES_LIFETIME_MINUTES: '132',
  QUARANTINE_DAYS: '133',
  MESSAGE_RETENTION_HOURS: '134',
  MESSAGE_MAX_BYTES: '135MB',
  ADDRESS_STORAGE_BYTES: '136MB',
  OPERATOR_RETENTION_DAYS: '137',
  ADDRESS_CREATE_SECONDS: '138',
  ADDRESS_CREATE_BURST: '139000',
  STREAMS_PER_IP_MAX: '141',
  FORWARD_DAYS: '142',
  FORWARD_DESTINATIONS: '63',
  FORWARD_LOG_DAYS: '144',
  PREMIUM_ADDRESSES: '145',
  PREMIUM_STORAGE_BYTES: '146GB',
  PREMIUM_MESSAGE_MAX_BYTES: '147MB',
  PREMIUM_RETENTION_DAYS: '148',
  PREMIUM_OWN_DOMAINS_MAX: '149',
  PREMIUM_FORWARD_DESTINATIONS: '61',
  PREMIUM_KEYS_MAX: '151',
  PREMIUM_KEY_REQUESTS_PER_SECOND: '152',
  PREMIUM_KEY_ADDRESSES_MAX: '153',
  PREMIUM_WEBHOOKS_MAX: '154',
  // Small, because the Premium page lists every number of years up to it.
  PREMIUM_CRYPTO_YEARS_MAX: '6',
  PREMIUM_NOTICE_DAYS: '66',
  PREMIUM_GRACE_DAYS: '67',
  PREMIUM_CURRENCY: 'CHF',
  PREMIUM_MONTH_CENTS: '15500',
  PREMIUM_YEAR_CENTS: '156000',
  PREMIUM_CRYPTO_YEAR_CENTS: '157000',
  SESSION_DAYS: '158',
  ORDER_KEEP_DAYS: '159',
  WEBHOOK_SECONDS: '111',
  WEBHOOK_OFF_DAYS: '112',
  DOMAIN_FAILING_DAYS: '69',
  DOMAINS: 'other.example',
  PREMIUM_DOMAINS: 'vip.other.example',
  // Enough for the largest message.
  MAIL_MEMORY_BYTES: '316MB',
}

export const OTHER_FIGURES = Object.fromEntries(
  Object.entries(OTHERS).map(([name, value]) => [`MAYFLY_${name}`, value]),
)
/** Smaller numbers are also those of steps, words and versions. */
const LEAST = 7

/**
 * How often pages have a default that no setting determines there: hours for which calls of webhooks and forwarded
 * messages are tried again, days before a change of the terms, words of a recovery phrase, a service of one's own, the
 * status 200 of HTTP, how many earlier addresses a browser remembers, for how many days.
 */
const EXEMPT: Record<string, Record<string, number>> = {
  '/api': { 24: 1, 200: 2 },
  '/privacy': { 24: 2, 50: 1 },
  '/premium': { 24: 1 },
  '/terms': { 30: 1 },
  '/articleDetail?slug=what-to-use-it-for': { 10: 1, 30: 1 },
  '/articleDetail?slug=testing-sign-up-flows': { 'http://localhost:3000': 1, 200: 1 },
}

/** The text of a page without code, dates and what is not shown. */
const shown = (html: string): string =>
  html
    .replaceAll(/<(script|style|code|time|svg)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** Numbers in texts that no setting determines: the name of a page, reading times, the words of a recovery phrase. */
async function constantsOf(code: string): Promise<string[]> {
  const texts = JSON.parse(await readFile(join('locales', `${code}.json`), 'utf8')) as Record<string, string>
  const keys = ['footer.tenMinutes', 'article.minutes']
  const messages = Object.fromEntries(keys.map((key) => [key, compile(texts[key] ?? '')])) as Messages
  const text = textOf(messages, languageOf(code))
  const minutes = Array.from({ length: 40 }, (_, i) => text('article.minutes', { minutes: i + 1 }))
  return ['10 Minute Mail', text('footer.tenMinutes'), ...minutes.toReversed()]
}

/**
 * Matches the name of the page "10 Minute Mail" in a language. Texts inflect it, except in English, so this also matches
 * "10 min…" in general. `npm run languages` finds hard-coded lifetimes there: it compares the figures with the English.
 */
function nameOf(code: string, footer: string): RegExp {
  if (code === 'en') return /10 minute mail/gi
  const [, before = '', ten = '10', after = ''] = /(\p{L}*)[\s-]*(\p{Nd}+)[\s-]*(\p{L}*)/u.exec(footer) ?? []
  const own = after ? `${ten}[\\s-]*${after[0]}` : before ? `${before[0]}\\S*\\s*${ten}` : '10[\\s-]*分'
  return new RegExp(`10[\\s-]*min|${own}`, 'giu')
}

const defaults = (code: string) => {
  const figures = figuresOf(loadConfig({}), () => 'http://localhost:3000')(languageOf(code).format.locale)
  // `extraDomains` and `rateLimits` select a wording and are never shown.
  const {
    loginMin: _min,
    loginMax: _max,
    waitSeconds: _wait,
    earlierDays: _earlier,
    extraDomains: _select,
    rateLimits: _clients,
    ...rest
  } = figures
  const values = Object.values(rest)
  return {
    numbers: new Set(values.filter((value) => typeof value === 'number' && value >= LEAST)),
    words: values.filter((value) => typeof value === 'string').map((word) => word.replaceAll(/[\u2066\u2069]/g, '')),
  }
}

/**
 * Returns a function that finds the defaults of settings on a page of a language, each with the path of the page without
 * the language.
 */
export async function createDefaultsFinder(code: string): Promise<(path: string, html: string) => string[]> {
  const { numbers, words } = defaults(code)
  // "GB 1" is not in "GB 146", as Swahili writes sizes.
  const patterns = words.map((word) => ({ word, pattern: new RegExp(`${RegExp.escape(word)}(?!\\p{Nd})`, 'gu') }))
  const constants = await constantsOf(code)
  const name = nameOf(code, constants[1] ?? '')
  return (path, html) => {
    const text = constants.reduce((left, constant) => left.replaceAll(constant, ' '), shown(html)).replaceAll(name, ' ')
    const isolated = html.replaceAll(/[\u2066\u2069]/g, '')
    const old = [
      ...numbersOf(text).filter((number) => numbers.has(number)),
      ...patterns.flatMap(({ word, pattern }) => [...isolated.matchAll(pattern)].map(() => word)),
    ].map(String)
    return [...Map.groupBy(old, (each) => each)]
      .filter(([value, all]) => all.length > (EXEMPT[path]?.[value] ?? 0))
      .map(([value]) => `${path}: ${value}`)
  }
}
