import { Parser } from 'htmlparser2'
import type { Attributes } from 'sanitize-html'
import { OPAQUE_TAGS, shownDeep, shownTag } from './allowed.ts'
import { cleanStyle, isDeclarations, type RemoteUrl } from './css.ts'
import { LayoutCost } from './layout-cost.ts'
import { cleanSheets, styleSheets } from './style-sheets.ts'
import { limitNesting, MAX_SHOWN_DEPTH } from './to-text.ts'

/** A pattern for an ASCII character in HTML, which may be a numeric character reference. */
function asciiInHtml(character: string): string {
  const codes = [character, character.toUpperCase()].map((each) => each.charCodeAt(0))
  const hex = codes.map((code) => code.toString(16))
  return String.raw`(?:${character}|&#(?:0*(?:${codes.join('|')})(?!\d)|x0*(?:${hex.join('|')})(?![\da-f]));?)`
}

/** The source of a pattern for `cid:` in HTML or CSS, in any case. Any of the characters may be a character reference. */
export const CID_IN_HTML = `${[...'cid'].map(asciiInHtml).join('')}(?:${asciiInHtml(':')}|&colon;)`

/** Returns the Content-ID of a `cid:` URL (RFC 2392). Undefined for other URLs. */
export function contentIdOf(reference: string): string | undefined {
  const id = /^cid:(.+)$/i.exec(reference.trim())?.[1]
  if (id === undefined) return undefined
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** Returns the Content-ID of a part without angle brackets, or an empty string. */
export const contentId = (part: { contentId?: string | undefined }): string =>
  (part.contentId ?? '').replace(/^<|>$/g, '')

/** Returns the URL of the image that an `<img>` or a `<video>` shows. */
export const imageOf = (tagName: string, { src, srcset, poster }: Attributes): string =>
  tagName === 'video' ? (poster ?? '') : src || firstOf(srcset)

/** Returns the first candidate of a `srcset`, for images without `src`. */
export const firstOf = (srcset = ''): string => srcset.trim().split(/\s/, 1)[0]?.replace(/,$/, '') ?? ''

const OPAQUE = new Set(OPAQUE_TAGS)
/** Characters between two checks of the time. */
const CHARACTERS_PER_CHECK = 64 * 1024
/** Characters of styles with inline images that are read. */
const MAX_CSS = 32 * 1024
const CID_IN_CSS = /url\(\s*(?:["']\s*)?cid:/i

/**
 * Returns the Content-IDs of the images that are in the HTML after it is sanitized. This takes a fraction of the time
 * of sanitizing it. In very long styles, images are not searched. `checkTime` may throw.
 */
export function shownContentIds(html: string, checkTime = (): void => {}): Set<string> {
  const ids = new Set<string>()
  let css = 0
  let depth = 0
  const nesting = limitNesting()
  /** Depth of the outermost element that is removed with its content. 0: none. */
  let opaqueAt = 0
  const add: RemoteUrl = (reference) => {
    const id = contentIdOf(reference)
    if (id !== undefined) ids.add(id)
    return undefined
  }
  const cost = new LayoutCost(html)
  const parser = new Parser({
    onopentag(name, attributes) {
      const isShown = opaqueAt === 0
      const isDeep = depth >= MAX_SHOWN_DEPTH
      nesting.open()
      depth++
      cost.open(shownTag(name, attributes) ?? '', attributes)
      if (opaqueAt === 0 && OPAQUE.has(name)) opaqueAt = depth
      const shownAs = isShown ? shownTag(name, attributes) : undefined
      if (shownAs === undefined || (isDeep ? shownDeep(shownAs) : cost.shown(shownAs)) !== shownAs) return
      const { background, style = '' } = attributes
      if (shownAs === 'img') add(imageOf(name, attributes))
      if (background !== undefined) add(background)
      if (CID_IN_CSS.test(style) && isDeclarations(style) && (css += style.length) <= MAX_CSS) cleanStyle(style, add)
    },
    ontext(text) {
      if (opaqueAt === 0) cost.text(text)
    },
    onclosetag() {
      if (opaqueAt === depth) opaqueAt = 0
      cost.close()
      nesting.close()
      depth--
    },
  })
  try {
    for (let at = 0; at < html.length; at += CHARACTERS_PER_CHECK) {
      checkTime()
      parser.write(html.slice(at, at + CHARACTERS_PER_CHECK))
    }
    parser.end()
  } catch (error) {
    // HTML that is nested too deep is not shown.
    if (error instanceof RangeError) return new Set()
    throw error
  }
  if (CID_IN_CSS.test(html))
    cleanSheets(
      styleSheets(html).filter((sheet) => CID_IN_CSS.test(sheet.css) && (css += sheet.css.length) <= MAX_CSS),
      add,
    )
  return ids
}
