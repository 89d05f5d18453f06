import { Parser } from 'htmlparser2'
import { cleanCss, type RemoteUrl } from './css.ts'
import { limitNesting } from './to-text.ts'

/** Returns the text of each `<style>` element, which sanitize-html would keep unchanged. */
function styleSheets(html: string): string[] {
  if (!/<style/i.test(html)) return []
  const sheets: string[] = []
  let inside = false
  const nesting = limitNesting()
  const parser = new Parser({
    onopentagname(name) {
      inside = name === 'style'
      if (inside) sheets.push('')
      nesting.open()
    },
    ontext(text) {
      if (inside) sheets.push((sheets.pop() ?? '') + text)
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
export const cleanSheets = (html: string, remote: RemoteUrl, isRead = (_css: string): boolean => true): string =>
  styleSheets(html)
    .map((css) => (isRead(css) ? cleanCss(css, remote) : ''))
    .join('')
