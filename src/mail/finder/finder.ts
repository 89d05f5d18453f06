import { htmlToText } from '../html/to-text.ts'
import { findCode } from './code.ts'
import { plain } from './digits.ts'
import { Line, linesOf } from './lines.ts'
import { findLink } from './link.ts'
import { linksInHtml, linksInText } from './links.ts'

export interface FinderInput {
  subject: string
  fromAddress: string
  fromName: string
  text: string | null
  html: string | null
}

export interface Found {
  /** The one-time code as it has to be typed. */
  code: string | null
  /** The http(s) URL to confirm, activate, reset or sign in with. */
  link: string | null
}

export interface FinderLimits {
  /** Characters of each part that are searched. Confirmations are at the beginning of a message. */
  maxText: number
  maxHtml: number
  maxLines: number
  maxLinks: number
}

/** Characters of HTML that are used for a summary. */
export const MAX_HTML = 200_000
const LIMITS: FinderLimits = { maxText: 20_000, maxHtml: MAX_HTML, maxLines: 400, maxLinks: 200 }

/**
 * Returns the visible text of HTML. Null if it is nested too deep for `htmlToText`; the text part may still have the
 * code.
 */
export function visible(markup: string): string | null {
  try {
    return htmlToText(markup)
  } catch {
    return null
  }
}

/**
 * Finds the one-time code and the confirmation link of a message in any language of the site. Both are null if uncertain.
 * `visibleText` is the visible text of the HTML, if already known.
 */
export function findCodeAndLink(
  { subject, text, html }: FinderInput,
  visibleText?: string | null,
  limits = LIMITS,
): Found {
  const title = new Line(plain(subject.slice(0, 998)))
  const markup = html?.slice(0, limits.maxHtml) ?? ''
  const words = markup === '' ? null : (visibleText ?? visible(markup))
  const textLines = linesOf((text ?? '').slice(0, limits.maxText), limits.maxLines)
  // Most senders write the same in both parts. Some leave the text empty or only refer to the HTML in it.
  const htmlLines = words === null ? [] : linesOf(words.slice(0, limits.maxText), limits.maxLines)
  const links = words === null ? [] : linksInHtml(markup, limits.maxLinks)
  return {
    code: findCode(title, textLines) ?? (htmlLines.length > 0 ? findCode(title, htmlLines) : null),
    link:
      findLink(title, links) ??
      findLink(title, linksInText(textLines.length > 0 ? textLines : htmlLines, limits.maxLinks)),
  }
}
