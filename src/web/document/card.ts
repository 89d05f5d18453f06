import type { PagePayload } from '#contract/pages.ts'
import type { MessageKey, Text } from '../i18n/text.tsx'

/** The preview images of shared links by kind of page, with their words. `test/brand/cards.ts` draws them. */
export const CARDS = {
  home: 'home.title',
  article: 'header.articles',
  premium: 'header.premium',
} as const satisfies Record<string, MessageKey>
export type Card = keyof typeof CARDS

const kindOf = ({ page }: PagePayload): Card =>
  page === 'article' || page === 'articles' ? 'article' : page === 'premium' ? page : 'home'

/** The path of the preview image of a page. */
export const cardOf = (payload: PagePayload): string => `/cards/${payload.lang}/${kindOf(payload)}.png`

/** What the preview image of a page says. */
export const cardAlt = (payload: PagePayload, text: Text): string =>
  `${text('site.name')}: ${text(CARDS[kindOf(payload)])}`
