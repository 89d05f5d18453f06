/** Letters of scripts that may follow a URL without a space. */
export const JOINED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Khmer}\p{Script=Myanmar}`
/** Punctuation outside ASCII ends a URL, except dots within words and short dashes, which paths of wikis have. */
const MARK = String.raw`(?![ -~·‧・･‐-–])\p{P}`
/** Direction controls and zero-width spaces, which surround URLs in right-to-left text. */
const CONTROLS = String.raw`\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069`
/** What ends a URL anywhere, except white space, quotes and `CONTROLS`. */
const END = String.raw`(?!${MARK}|[,;!:][${JOINED}])`
/**
 * A URL in a text. `JOINED` letters belong to it only at the beginning of a part of the URL, or if more of the URL follows
 * them: in `https://a.example/確認`, `https://a.example/?q=確認x完成` and `https://a.example/x確認/x`, but not in
 * `https://a.example/x完成` or `https://a.example/x,完成`.
 */
const URL_IN_TEXT = new RegExp(
  String.raw`https?:\/\/(?:${END}[^\s<>"'\x60${CONTROLS}${JOINED}]|(?<=[^/]\/|[=#])[${JOINED}](?:${END}[^\s<>"'\x60${CONTROLS}/?&=#])*|[${JOINED}]+(?=[/?&=#%]|\.[a-z]{2}))+`,
  'giu',
)
/** Punctuation after a URL that belongs to the sentence around it. */
const TRAILING = /[\p{P}|]/u
/** Punctuation that may be the last character of a URL. Random values end in `-` and `_`. */
const LAST = new Set('/-_*&%#@\\')
const PAIRS: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/** A URL in a text, and the index where it begins. */
export interface UrlInText {
  url: string
  index: number
}

const countOf = (text: string, character: string): number => text.split(character).length - 1

/** Removes the punctuation of the sentence from the end. `before`: the character before the URL. */
function withoutTrailing(found: string, before: string): string {
  const open = new Map(
    Object.entries(PAIRS).map(([closing, opening]) => [closing, countOf(found, closing) - countOf(found, opening)]),
  )
  let end = found.length
  for (; end > 0; end--) {
    const last = found[end - 1] as string
    const unpaired = open.get(last)
    // A bracket stays if the URL has the other one.
    if (unpaired !== undefined) {
      if (unpaired <= 0) break
      open.set(last, unpaired - 1)
      // `*https://…*` and `_https://…_` are emphasis in Markdown.
    } else if (!TRAILING.test(last) || (LAST.has(last) && !('*_'.includes(last) && before === last))) break
  }
  return found.slice(0, end)
}

/** Yields the http and https URLs in plain text, each without the punctuation and the words that follow it. */
export function* urlsInText(text: string): Generator<UrlInText> {
  if (!text.includes('://')) return
  for (const { 0: found, index } of text.matchAll(URL_IN_TEXT))
    yield { url: withoutTrailing(found, text[index - 1] ?? ''), index }
}
