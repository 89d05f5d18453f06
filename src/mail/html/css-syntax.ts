/** A rule, which has a block, or a declaration as it was written. Neither contains comments. */
export type CssNode = { prelude: string; nodes: CssNode[] } | { declaration: string }

/**
 * A comment, a string, a URL without quotes, an escape, other text, or one character (CSS Syntax 3, section 4). A string
 * without an end reaches to the end of its line.
 */
const TOKEN =
  /\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n\r\f]|\\[^])*"?|'(?:[^'\\\n\r\f]|\\[^])*'?|url\(\s*(?:[^"'()\s\\]+\s*)?\)|\\[^]|(?:(?!url\()[^"'\\/{}()[\];])+|[^]/gi
/** The marks of HTML comments, which style sheets ignore. After a name, `-->` is part of a selector such as `.a-->.b`. */
export const COMMENT_MARKS = /<!--|(?<![\w\u0080-\uffff-])-->/g
/** Rules that are nested deeper are left out. */
const MAX_DEPTH = 32
const CLOSING: Record<string, string> = { '(': ')', '[': ']' }

/**
 * Parses a style sheet, or the declarations of a `style` attribute, in linear time. As in browsers, an error affects only
 * the rule or the declaration that has it (CSS Syntax 3, section 2.2), and the end of the text closes what is open.
 */
export function parseCss(css: string): CssNode[] {
  const root: CssNode[] = []
  const blocks = [root]
  /** The brackets that are open in `text`: all up to the last of them belongs to it. */
  const brackets: string[] = []
  let text = ''
  const endDeclaration = (): void => {
    if (text.trim()) blocks.at(-1)?.push({ declaration: text.trim() })
    text = ''
  }
  for (const [token] of css.matchAll(TOKEN)) {
    const closing = CLOSING[token]
    if (closing !== undefined) brackets.push(closing)
    else if (token === brackets.at(-1)) brackets.pop()
    else if (brackets.length > 0) {
      // Nothing else ends while a bracket is open.
    } else if (token === '{') {
      const nodes: CssNode[] = []
      if (blocks.length <= MAX_DEPTH) blocks.at(-1)?.push({ prelude: text.trim(), nodes })
      blocks.push(nodes)
      text = ''
      continue
    } else if (token === ';' || token === '}') {
      endDeclaration()
      if (token === '}' && blocks.length > 1) blocks.pop()
      continue
    }
    text += token.startsWith('/*') ? ' ' : token
  }
  endDeclaration()
  return root
}

const STRING = /"[^"]*"|'[^']*'/g

/**
 * Whether all strings and brackets in a text without escapes and line breaks are closed, so that nothing in it can end or
 * extend what is printed around it.
 */
export function isClosed(text: string): boolean {
  const bare = text.replace(STRING, '')
  if (/["'{};]/.test(bare)) return false
  const open: string[] = []
  for (const [bracket] of bare.matchAll(/[()[\]]/g)) {
    const closing = CLOSING[bracket]
    if (closing !== undefined) open.push(closing)
    else if (open.pop() !== bracket) return false
  }
  return open.length === 0
}
