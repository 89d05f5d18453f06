import { parse } from 'tldts'

/** Letters that may follow a URL without a space, by their script. The finder was trained with exactly these. */
const JOINED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Khmer}\p{Script=Myanmar}`
/** `JOINED` and letters that Unicode assigns to no single script, such as the `ー` of `サーバー`. */
const LETTERS = String.raw`${JOINED}ー〆〼ｰﾞﾟ`
/** Punctuation outside ASCII ends a URL, except dots within words and short dashes, which paths of wikis have. */
const MARK = String.raw`(?![ -~·‧・･‐-–])\p{P}`
/** Direction controls and zero-width characters. In right-to-left text, programs put them around URLs. */
const CONTROLS = String.raw`\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069`
/**
 * What ends a URL anywhere, except white space, quotes and `CONTROLS`. `](` and `[/` are
 * between the parts of links in Markdown and BBCode.
 */
const END = String.raw`(?!${MARK}|[,;!:][${LETTERS}]|\]\(https?:|\|https?:|\[\/)`
/** A run of `LETTERS`, with the punctuation between them and one mark before them. */
const WORDS = String.raw`[,;!:]?[${LETTERS}]+(?:[-+.,;!:_~@·‧・･‐-–]+[${LETTERS}]+)*`
/**
 * What follows the scheme or the host. `LETTERS` belong to it if they begin a part of the URL, or if more of the URL follows
 * them: in `https://a.example/確認`, `https://a.example/?q=確認x` and `https://a.example/x確認/x`, but not in
 * `https://a.example/x完成` or `https://a.example/x,完成`.
 */
const REST = new RegExp(
  String.raw`(?:${END}[^\s<>"'\x60${CONTROLS}${LETTERS}]|(?<=[^/]\/|[=#])[${LETTERS}](?:${END}[^\s<>"'\x60${CONTROLS}/?&=#])*|${WORDS}(?=[/?&=#%]|\.[a-z]{2}))*`,
  'iuy',
)
const SCHEME = /https?:\/\//giu
/** The longest text that may be a host name. */
const HOST = /[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}]/uy
/** What may follow a host. */
const AFTER_HOST = /[/?#]|:\d/y
const HAS_LETTERS = new RegExp(`[${LETTERS}]`, 'u')
const BEFORE_LETTERS = new RegExp(`^[a-z]+(?=[${LETTERS}])`, 'iu')
/** A label that may be a name although it begins with a top-level domain. More after the letters may be another host. */
const NAME = new RegExp(`^[a-z]+[${LETTERS}]+$`, 'iu')
/** Top-level domains for tests (RFC 2606), which no list has. */
const RESERVED = new Set(['example', 'test', 'invalid', 'localhost', '测试', '測試', 'テスト', '테스트'])
/** Top-level domains with which names of other scripts do not begin. */
const COMMON = /^(?:com|net|org|cn)$/i
/** The longest top-level domain that is looked for in front of a sentence, in characters. */
const LONGEST_SUFFIX = 20
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
      // `*https://…*`, `_https://…_` and `~https://…~` are emphasis in Markdown.
    } else if (!('*_~'.includes(last) && before === last) && (!TRAILING.test(last) || LAST.has(last))) break
  }
  return found.slice(0, end)
}

/** Returns the part of a URL before a bracket or line that closes one before the URL: `[https://a.example/x]or`. */
function withoutRest(found: string, before: string): string {
  const closing = before === '(' ? ')' : before === '|' ? '|' : ']'
  if (!found.includes(closing)) return found
  const opening = PAIRS[closing]
  let open = 0
  for (let i = 0; i < found.length; i++) {
    if (found[i] === opening) open++
    else if (found[i] === closing && --open < 0) return found.slice(0, i)
  }
  return found
}

/** Returns whether a label is a top-level domain. */
export const isTopLevel = (label: string): boolean =>
  RESERVED.has(label.toLowerCase()) || parse(`x.${label}`).isIcann === true

/**
 * Returns the length of the host at the beginning of `found`; 0 for none. The rest of `found` is the sentence after the URL,
 * because hosts and sentences can both consist of `LETTERS`. `goesOn`: a path, a query or a port follows `found`, so all of it
 * is the host.
 */
function hostLength(found: string, goesOn: boolean): number {
  const labels = found.split('.')
  const last = labels.at(-1) as string
  let start = found.length - last.length
  let end = lastEnd(last, start, goesOn)
  /** Whether the text up to `end` has a top-level domain. */
  let isComplete = isTopLevel(found.slice(found.lastIndexOf('.', end - 1) + 1, end))
  for (let i = labels.length - 1; i > 0; i--) {
    const label = labels[i] as string
    const before = labels[i - 1] as string
    const suffix = BEFORE_LETTERS.exec(label)?.[0]
    // In `www.ai研究所.jp` the label is a name, in `shop.com完成` and `shop.com或shop.cn` it is not. No host is `www.ai`.
    const isName =
      isComplete && ((NAME.test(label) && !COMMON.test(suffix ?? '')) || (i === 1 && /^www$/i.test(before)))
    if (suffix && !isName && isTopLevel(suffix)) {
      end = start + suffix.length
      isComplete = true
    }
    start -= before.length + 1
  }
  return end
}

/** Returns where the host ends whose last label is at `start`. */
function lastEnd(last: string, start: number, goesOn: boolean): number {
  const letters = last.search(HAS_LETTERS)
  if (letters === -1 || goesOn) return start + last.length
  if (letters > 0) return start + letters
  for (let end = Math.min(LONGEST_SUFFIX, last.length); end > 0 && start > 0; end--)
    if (isTopLevel(last.slice(0, end))) return start + end
  return Math.max(0, start - 1)
}

const matchAt = (pattern: RegExp, text: string, index: number): string | undefined => {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0]
}

/** Returns the index where the URL ends whose scheme ends at `start`. */
function endOf(text: string, start: number): number {
  let end = start
  const found = matchAt(HOST, text, start)
  if (found && HAS_LETTERS.test(found)) {
    const goesOn = matchAt(AFTER_HOST, text, start + found.length) !== undefined
    end += hostLength(found, goesOn)
    if (end < start + found.length || !goesOn) return end
  }
  return end + (matchAt(REST, text, end)?.length ?? 0)
}

/** Yields the http and https URLs in plain text, each without the punctuation and the words that follow it. */
export function* urlsInText(text: string): Generator<UrlInText> {
  if (!text.includes('://')) return
  let end = 0
  for (const { 0: scheme, index } of text.matchAll(SCHEME)) {
    const start = index + scheme.length
    if (index < end) continue
    end = endOf(text, start)
    if (end === start) continue
    const before = text[index - 1] ?? ''
    yield { url: withoutTrailing(withoutRest(text.slice(index, end), before), before), index }
  }
}
