import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ArticleJson, ArticleLinkJson, FaqJson, TextJson } from '#contract/content.ts'
import { type Figures, fillFigures, numberLocale } from './figures.ts'
import { headingsOf, parseFrontMatter, slugOf, toHtml } from './markdown.ts'

/** The source language. Its headings determine the anchors, and missing texts are shown in it. */
const SOURCE = 'en'
const WORDS_A_MINUTE = 220
/** How many other articles are shown at the end of an article. */
const RELATED = 4

/** The popular articles, which are listed first. */
const POPULAR = ['is-temp-mail-safe', 'burner-email-or-alias', 'what-to-use-it-for', 'spotting-phishing']

/** The texts of the site, read from `content/<kind>/<slug>/<language>.md` on first use. */
export interface Library {
  /** Throws if the page does not exist. */
  page(slug: string, lang: string): TextJson
  /** Returns a page of questions: the text before the first `h3`, and each `h3` with the text after it. */
  faq(slug: string, lang: string): FaqJson
  /** Returns all articles, the popular ones first. */
  articles(lang: string): ArticleLinkJson[]
  /** Undefined if the article does not exist. */
  article(slug: string, lang: string): ArticleJson | undefined
  /** Other articles for the end of an article: those that it links to, those that link to it, the popular ones. */
  related(slug: string, lang: string): ArticleLinkJson[]
  /** When a page was last changed: `YYYY-MM-DD`. Undefined if it has no text. */
  updated(slug: string): string | undefined
}

interface LibraryOptions {
  /** Whether this service forwards email. */
  forwarding: boolean
  /** Whether this service has premium domains. */
  premiumDomains: boolean
  /** The figures of the configuration, in the format of a locale. */
  figures: (locale: string) => Figures
}

/** The mark of a line that is shown only if the service has a feature. */
const MARK = / *<!-- with (forwarding|premium domains|own domains) -->$/

export function createLibrary(directory: string, options: LibraryOptions): Library {
  const { figures } = options
  const shownLines = (text: string, { ownDomains }: Figures): string => {
    const has: Record<string, boolean> = {
      forwarding: options.forwarding,
      'premium domains': options.premiumDomains,
      'own domains': ownDomains !== null,
    }
    return text
      .split('\n')
      .filter((line) => has[MARK.exec(line)?.[1] ?? ''] ?? true)
      .map((line) => line.replace(MARK, ''))
      .join('\n')
  }

  /** The dates of the pages, which `npm run dates` reads from the history. */
  const dates = JSON.parse(readFileSync(join(directory, 'dates.json'), 'utf8')) as Record<string, string>
  const slugs: readonly string[] = [...new Set([...POPULAR, ...readdirSync(join(directory, 'articles')).toSorted()])]

  const read = memo((kind: string, slug: string, lang: string) => {
    const source = (code: string): string => readFileSync(join(directory, kind, slug, `${code}.md`), 'utf8')
    let text: string
    try {
      text = source(lang)
    } catch {
      text = source(SOURCE)
    }
    const locale = numberLocale(lang)
    const said = figures(locale)
    const { fields, body } = parseFrontMatter(fillFigures(shownLines(text, said), said, locale))
    const { title = '', description = '', date = '' } = fields
    // A keyword may be about something that this service does not have.
    const keywords = (fields.keywords ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean)
      .join(', ')
    const updated = fields.updated ?? (kind === 'articles' ? date : dates[slug]) ?? ''
    return { slug, title, description, keywords, date, updated, body }
  })

  /** The anchors are the same in every language. */
  const anchors = memo((kind: string, slug: string) => headingsOf(read(kind, slug, SOURCE).body).map(slugOf))

  const page = memo((slug: string, lang: string): TextJson => {
    const { title, description, keywords, updated, body } = read('pages', slug, lang)
    return { title, description, keywords, updated, html: toHtml(body, { lang, ids: anchors('pages', slug) }) }
  })

  const faq = memo((slug: string, lang: string): FaqJson => {
    const { title, description, keywords, updated, body } = read('pages', slug, lang)
    const [intro = '', ...sections] = body.split(/^### /m)
    const questions = sections.map((section, i) => {
      const end = section.indexOf('\n')
      return { id: `q${i + 1}`, question: section.slice(0, end), html: toHtml(section.slice(end), { lang }) }
    })
    return { title, description, keywords, updated, html: toHtml(intro, { lang }), questions }
  })

  const minutes = memo((slug: string) =>
    Math.ceil(read('articles', slug, SOURCE).body.split(/\s+/).length / WORDS_A_MINUTE),
  )

  const articles = memo((lang: string): ArticleLinkJson[] =>
    slugs.map((slug) => {
      const { title, description, date, updated } = read('articles', slug, lang)
      return { slug, title, description, date, updated, minutes: minutes(slug) }
    }),
  )

  const knownArticle = memo((slug: string, lang: string): ArticleJson => {
    const { body, ...fields } = read('articles', slug, lang)
    return { ...fields, minutes: minutes(slug), html: toHtml(body, { lang, ids: anchors('articles', slug) }) }
  })

  // Unknown slugs are not cached, because visitors can request any name.
  const article: Library['article'] = (slug, lang) => (slugs.includes(slug) ? knownArticle(slug, lang) : undefined)

  /** The articles that each article links to, in the source language. */
  const linked = memo((slug: string) =>
    [...read('articles', slug, SOURCE).body.matchAll(/articleDetail\?slug=([\w-]+)/g)].map(([, to = '']) => to),
  )
  const related: Library['related'] = (slug, lang) => {
    const near = [...linked(slug), ...slugs.filter((other) => linked(other).includes(slug)), ...POPULAR]
    const all = articles(lang)
    return [...new Set(near)]
      .filter((other) => other !== slug)
      .flatMap((other) => all.filter((each) => each.slug === other))
      .slice(0, RELATED)
  }

  return { page, faq, articles, article, related, updated: (slug) => dates[slug] }
}

/** Caches the results of a function of strings. */
function memo<Args extends string[], Result>(work: (...args: Args) => Result): (...args: Args) => Result {
  const results = new Map<string, Result>()
  return (...args) => {
    const key = args.join('\n')
    const known = results.get(key)
    if (known !== undefined) return known
    const result = work(...args)
    results.set(key, result)
    return result
  }
}
