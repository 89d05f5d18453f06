import { type Collector, collectText } from './to-text.ts'

/** Marks where a tag was. No text keeps it. */
const TAG = '\u0001'
/** An invisible character that JavaScript takes for white space. */
const BYTE_ORDER_MARK = '\ufeff'

/** Characters that are not shown, such as soft hyphens. */
const UNSEEN = /\p{DI}+/gu
/** Ligatures of Arabic words, of which no host consists. Their compatibility forms are up to 18 characters long. */
const LIGATURES = /[\ufbea-\ufdff]/g
const NOT_ASCII = /[^\0-\x7f]/
/** A mark from right to left, which is not shown. It stands for an element with a direction of its own too. */
const TURN = '\u200f'
/** What is between Latin words. */
const GAP = /(?<=[a-z\d])[^a-z\d]+(?=[a-z\d])/gi
/** Letters and marks from right to left. The words around one may be shown in reverse order. */
const TURNING = /[\u0590-\u08ff\u200f\u202b\u2067\ufb1d-\ufdff\ufe70-\ufefc]/
const WORD = /[\p{L}\p{N}-]+|[^\p{L}\p{N}-]/gu
/** Styles that may give an element a direction of its own. */
const DIRECTION = /direction|unicode-bidi/i

/** Reads the text of a link. */
export interface LinkText {
  handler: Collector<unknown>['handler']
  /** The text that is visible, as far as `style` attributes tell. */
  shown(): string
  looks(): string[]
}

/** Only visible characters, in compatibility form, as browsers read a host: `．` as a dot and `ａ` as a letter. */
const comparable = (text: string): string =>
  NOT_ASCII.test(text) ? text.replace(UNSEEN, '').replace(LIGATURES, ' ').normalize('NFKC') : text

const isTurned = (text: string): boolean =>
  TURNING.test(text) && (text.match(GAP)?.some((gap) => TURNING.test(gap)) ?? false)

/** The words of a text in the order in which they are shown from right to left. */
const turned = (text: string): string => (text.match(WORD) ?? []).toReversed().join('')

/**
 * What the text of a link may look like. Styles can show what seems to be hidden, hide what seems to be visible, and
 * separate two elements like words, so there is more than one answer.
 */
export const looksOf = (...texts: string[]): string[] =>
  [
    ...new Set(
      texts
        .flatMap((text) => [text.replaceAll(TAG, ''), text.replaceAll(TAG, ' ')])
        .flatMap((text) => (isTurned(text) ? [text, turned(text)] : [text])),
    ),
  ].map(comparable)

export function collectLinkText(): LinkText {
  const visible = collectText({ images: true })
  const all = collectText({ images: true, hidden: true })
  const both = [visible.handler, all.handler]
  const mark = (name: string, turns = false): void => {
    if (name !== 'wbr') for (const handler of both) handler.ontext(turns ? TAG + TURN : TAG)
  }
  return {
    handler: {
      onopentag(name, attributes, isImplied) {
        const { dir, style = '' } = attributes
        mark(name, name === 'bdi' || dir !== undefined || DIRECTION.test(style))
        for (const handler of both) handler.onopentag(name, attributes, isImplied)
      },
      ontext(text) {
        const bare = text.replaceAll(TAG, '').replaceAll(BYTE_ORDER_MARK, '')
        for (const handler of both) handler.ontext(bare)
      },
      onclosetag(name, isImplied) {
        for (const handler of both) handler.onclosetag(name, isImplied)
        mark(name)
      },
    },
    shown: () =>
      visible
        .result()
        .replaceAll(TAG + TURN, '')
        .replaceAll(TAG, ''),
    looks: () => looksOf(visible.result(), all.result()),
  }
}
