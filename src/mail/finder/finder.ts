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
  /** The one-time code, ready to be typed in. */
  code: string | null
  /** The http(s) URL to confirm, activate, reset or sign in with. */
  link: string | null
}

export interface FinderLimits {
  /** Characters of each part that are looked at: who wants to be confirmed says so at the beginning. */
  maxText: number
  maxHtml: number
  maxLines: number
  maxLinks: number
}

/** Characters of HTML that are looked at for what an inbox row shows. */
export const MAX_HTML = 200_000
const LIMITS: FinderLimits = { maxText: 20_000, maxHtml: MAX_HTML, maxLines: 400, maxLinks: 200 }

/** Null where the HTML is nested too deep for `htmlToText`: the text part may still say it. */
export function visible(markup: string): string | null {
  try {
    return htmlToText(markup)
  } catch {
    return null
  }
}

/**
 * Finds the one-time code and the confirmation link of a mail in any of 33 languages; null rather than a guess. `seen`:
 * the visible text of the HTML, where it is known already.
 */
export function findCodeAndLink({ subject, text, html }: FinderInput, seen?: string | null, limits = LIMITS): Found {
  const title = new Line(plain(subject.slice(0, 998)))
  const markup = html?.slice(0, limits.maxHtml) ?? ''
  const words = markup === '' ? null : (seen ?? visible(markup))
  const written = linesOf((text ?? '').slice(0, limits.maxText), limits.maxLines)
  // Most senders say the same in both; some leave the text empty or say in it that there is HTML.
  const shown = words === null ? [] : linesOf(words.slice(0, limits.maxText), limits.maxLines)
  const links = words === null ? [] : linksInHtml(markup, limits.maxLinks)
  return {
    code: findCode(title, written) ?? (shown.length > 0 ? findCode(title, shown) : null),
    link: findLink(title, links) ?? findLink(title, linksInText(written.length > 0 ? written : shown, limits.maxLinks)),
  }
}
