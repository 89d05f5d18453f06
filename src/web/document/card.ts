import type { PagePayload } from '#contract/pages.ts'

/** The kinds of preview images of shared links. `test/brand/cards.ts` draws each in every language. */
export const CARDS = ['home', 'article', 'premium'] as const
export type Card = (typeof CARDS)[number]

const kindOf = ({ page }: PagePayload): Card =>
  page === 'article' || page === 'articles' ? 'article' : page === 'premium' ? page : 'home'

/** The path of the preview image of a page. */
export const cardOf = (payload: PagePayload): string => `/cards/${payload.lang}/${kindOf(payload)}.png`
