import { Parser } from 'htmlparser2'
import { cleanCss, forMedia, queryOf, type RemoteUrl, type SheetOptions } from './css.ts'
import { limitNesting } from './to-text.ts'

interface Sheet {
  css: string
  /** The media query of its element. */
  media: string
}

/** Returns the `<style>` elements, which sanitize-html would keep unchanged. */
export function styleSheets(html: string): Sheet[] {
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

/** Sanitizes style sheets, each alone, so that an invalid one does not affect the others. */
export const cleanSheets = (sheets: readonly Sheet[], remote: RemoteUrl, options?: SheetOptions): string =>
  sheets
    .map(({ css, media }) => {
      const query = queryOf(media)
      return query === undefined ? '' : forMedia(query, cleanCss(css, remote, options))
    })
    .join('')
