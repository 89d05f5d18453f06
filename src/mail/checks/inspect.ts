import { type FoundLink, type MessageInspection, LISTED_LINKS_MAX, type TextCheck } from '#core/mailbox/checks.ts'
import { HTML_MAX_CHARACTERS, TEXT_MAX_CHARACTERS } from '#core/mailbox/message.ts'
import { fewerMarks, foldCase } from '#core/text.ts'
import { fromUtf8 } from '../bytes.ts'
import { distinctLinks } from '../html/links.ts'
import { textOfHtml } from '../html/to-text.ts'
import { fitHtml } from '../html/without-bulk.ts'
import type { Email } from '../reader/parse.ts'
import { valuesOf } from '../reader/unsubscribe.ts'
import { htmlSupport } from './html-support.ts'
import { isUnsubscribeLink, listUnsubscribeOf } from './list-unsubscribe.ts'

const MAX_SIGNATURES = 20
/** Characters whose words are compared. */
const MAX_COMPARED = 20_000

/** Inspects an email before it is sent to many people. `mail` must be parsed without forwarded messages. */
export function inspect(mail: Email): MessageInspection {
  const html = mail.html === undefined ? null : fitHtml(mail.html, HTML_MAX_CHARACTERS).html
  const text = mail.text?.slice(0, TEXT_MAX_CHARACTERS) ?? null
  const shown = html === null ? null : textOfHtml(html)
  // The time of the parser grows with the square of the depth of elements.
  const { links, total } = distinctLinks(shown === null ? null : html, text, LISTED_LINKS_MAX)
  const found = links.map((link): FoundLink => ({ ...link, role: isUnsubscribeLink(link) ? 'unsubscribe' : null }))
  const list = listUnsubscribeOf(mail, found)
  const left = new Set(list.urls.flatMap((url) => URL.parse(url)?.href ?? []))
  return {
    htmlBytes: fromUtf8(mail.html ?? '').length,
    textBytes: fromUtf8(mail.text ?? '').length,
    html: mail.html === undefined ? null : htmlSupport(mail.html),
    text: textCheck(shown, text),
    listUnsubscribe: list,
    links: found.map((link) => (left.has(link.url) ? { ...link, role: 'unsubscribe' } : link)),
    linkCount: total,
    signatures: signaturesOf(mail),
  }
}

/** Words, or single letters of scripts that put no spaces between words. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Myanmar}]][[\p{L}\p{M}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Myanmar}]]*|\p{N}+/gv
/** Characters that are not shown, such as soft hyphens. */
const UNSEEN = /\p{DI}+/gu

const wordsOf = (text: string): Set<string> =>
  new Set(foldCase(fewerMarks(text.slice(0, MAX_COMPARED)).normalize('NFKC').replace(UNSEEN, '')).match(WORD) ?? [])

function textCheck(shown: string | null, text: string | null): TextCheck {
  const present = text !== null
  const empty = !text?.trim()
  return { present, empty, similarity: shown === null || empty ? null : similarity(shown, text ?? '') }
}

function similarity(shown: string, text: string): number | null {
  const wanted = wordsOf(shown)
  if (wanted.size === 0) return null
  const written = wordsOf(text)
  const common = [...wanted].filter((word) => written.has(word)).length
  return Math.round((common / wanted.size) * 100) / 100
}

/** The domains and selectors of the DKIM signatures (RFC 6376 3.5), valid or not. */
function signaturesOf(mail: Email): MessageInspection['signatures'] {
  return valuesOf(mail, 'dkim-signature')
    .slice(0, MAX_SIGNATURES)
    .map((value) => {
      const tag = (name: string): string =>
        (new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*([^;\\s]{1,253})`, 'i').exec(value)?.[1] ?? '').toLowerCase()
      return { domain: tag('d'), selector: tag('s') }
    })
}
