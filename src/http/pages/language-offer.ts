import type { FastifyRequest } from 'fastify'
import type { LanguageOfferJson } from '#contract/pages.ts'
import { preferredLanguage } from '#web/i18n/preferred-language.ts'
import type { HttpDeps } from '../options.ts'

/** Set by the page when the visitor dismisses the offer. */
const DISMISSED = /(?:^|; )mayfly_offer=/

/** The languages of an `Accept-Language` header, the preferred one first (RFC 9110 12.5.4). */
export const acceptedLanguages = (header: string): string[] =>
  header
    .split(',')
    .map((each) => {
      const [tag = '', ...parameters] = each.trim().split(';')
      const weight = /^\s*q=(?<q>[\d.]+)\s*$/.exec(parameters.join(';'))?.groups?.q
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ tag, weight }) => tag !== '' && tag !== '*' && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)

/**
 * The offer of another language for a page in `lang`: the one that the visitor chose before, or that the browser asks
 * for. Null if the page is in that language, or if the visitor dismissed the offer.
 */
export function offerFor(
  { offerTexts }: Pick<HttpDeps, 'offerTexts'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
  lang: string,
): LanguageOfferJson | null {
  if (DISMISSED.test(headers.cookie ?? '')) return null
  const code = preferredLanguage(headers.cookie ?? '', acceptedLanguages(headers['accept-language'] ?? ''))
  return code === undefined || code === lang ? null : { code, ...offerTexts(code) }
}
