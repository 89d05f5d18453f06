import postcss, { type Declaration, type Rule } from 'postcss'

/** Turns a remote URL into one the frame may load, or undefined to leave it out. */
export type RemoteUrl = (url: string) => string | undefined

/** At-rules that mail layouts need; whatever else could load, define fonts or escape goes. */
const ALLOWED_AT_RULES = new Set(['media', 'supports'])
const URL_ONLY = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)/gi
/** Everything in CSS that can fetch, run or read: what is left after `url()` was dealt with. */
const DANGEROUS =
  /\\|url\s*\(|image\s*\(|image-set\s*\(|src\s*\(|element\s*\(|cross-fade\s*\(|paint\s*\(|attr\s*\(|expression|javascript:|vbscript:|data:|<|@import/i
const DANGEROUS_PROPERTY = /^(?:behavior|-moz-binding|-o-link.*|src)$/i

function cleanDeclaration(declaration: Declaration, remote: RemoteUrl): void {
  const value = declaration.value.replace(URL_ONLY, (_all, double?: string, single?: string, bare?: string) => {
    const url = remote(double ?? single ?? bare ?? '')
    // Only unreserved characters and URL punctuation stand in what `remote` answers, so it needs no quoting.
    return url === undefined ? 'none' : `\u0001${url}\u0001`
  })
  if (DANGEROUS_PROPERTY.test(declaration.prop) || DANGEROUS.test(value)) declaration.remove()
  else declaration.value = value.replace(/\u0001([^\u0001]*)\u0001/g, 'url("$1")')
}

/** A style sheet, or the declarations of a `style` attribute, without all that loads or runs. Empty where it can't be parsed. */
export function cleanCss(css: string, remote: RemoteUrl): string {
  try {
    const root = postcss.parse(css.replace(/<!--|-->|\u0001/g, ''))
    root.walkComments((comment) => void comment.remove())
    root.walkAtRules((rule) => {
      if (!ALLOWED_AT_RULES.has(rule.name.toLowerCase()) || DANGEROUS.test(rule.params)) rule.remove()
    })
    root.walkRules((rule: Rule) => {
      if (/[<\\]/.test(rule.selector)) rule.remove()
    })
    root.walkDecls((declaration) => cleanDeclaration(declaration, remote))
    const text = root.toString()
    return text.includes('<') ? '' : text
  } catch {
    return ''
  }
}
