import type { Library } from '#content/library.ts'
import { pathIn } from '#locales/languages.ts'

const LANGUAGE = 'en'
/** Pages with a text, by path. The API comes first: most readers of this file are programs. */
const PAGES = {
  '/api': 'api',
  '/': 'home',
  '/10-minute-mail': 'ten-minute-mail',
  '/email-generator': 'email-generator',
  '/premium': 'premium',
  '/problem': 'problem',
  '/privacy': 'privacy',
  '/terms': 'terms',
  '/contact': 'contact',
}

/** `/llms.txt` (llmstxt.org): what the site is and where its texts are, as Markdown for language models. */
export function llmsText(library: Library, publicUrl: string): string {
  const line = (title: string, path: string, description: string): string =>
    `- [${title}](${publicUrl}${path}): ${description}`
  const pages = Object.entries(PAGES).map(([path, slug]) => {
    const { title, description } = library.page(slug, LANGUAGE)
    return line(title, pathIn(LANGUAGE, path), description)
  })
  const articles = library
    .articles(LANGUAGE)
    .map(({ slug, title, description }) => line(title, pathIn(LANGUAGE, `/articleDetail?slug=${slug}`), description))
  return [
    '# Mayfly',
    `> ${library.page('home', LANGUAGE).description}`,
    `The API is described in OpenAPI at ${publicUrl}/api/v1/openapi.json.`,
    '## Pages',
    pages.join('\n'),
    '## Articles',
    articles.join('\n'),
  ]
    .join('\n\n')
    .concat('\n')
}
