import { Parser } from 'htmlparser2'
import { cleanCss, forMedia, queryOf, type RemoteUrl, type SheetOptions } from './css.ts'
import { limitNesting } from './to-text.ts'

interface Sheet {
  css: string
  /** The media query of its element. */
  media: string
}

/** Returns the `<style>` elements, which sanitize-html would keep unchanged. */
function styleSheets(html: string): Sheet[] {
  if (!/<style/i.test(html)) return []
  const sheets: Sheet[] = []
  let inside = false
  const nesting = limitNesting()
  const parser = new Parser({
    onopentag(name, { media = '' }) {
      inside = name === 'style'
      if (inside) sheets.push({ css: '', media })
      nesting.open()
    },
    ontext(text) {
      const sheet = inside ? sheets.at(-1) : undefined
      if (sheet) sheet.css += text
    },
    onclosetag() {
      inside = false
      nesting.close()
    },
  })
  parser.end(html)
  return sheets
}

/**
 * Returns the sanitized style sheets of HTML, those that `isRead` allows. Each is sanitized alone, so that an invalid one
 * does not affect the others.
 */
export const cleanSheets = (
  html: string,
  remote: RemoteUrl,
  { isRead = () => true, ...options }: SheetOptions & { isRead?: (css: string) => boolean } = {},
): string =>
  styleSheets(html)
    .map(({ css, media }) => {
      const query = isRead(css) ? queryOf(media) : undefined
      return query === undefined ? '' : forMedia(query, cleanCss(css, remote, options))
    })
    .join('')
