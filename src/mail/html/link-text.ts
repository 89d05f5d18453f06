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

/**
 * What the text of a link may look like. Styles can show what seems to be hidden, hide what seems to be visible, and
 * separate two elements like words, so there is more than one answer.
 */
export const looksOf = (...texts: string[]): string[] =>
  [...new Set(texts.flatMap((text) => [text.replaceAll(TAG, ''), text.replaceAll(TAG, ' ')]))].map(comparable)

export function collectLinkText(): LinkText {
  const visible = collectText({ images: true })
  const all = collectText({ images: true, hidden: true })
  const both = [visible.handler, all.handler]
  const mark = (name: string): void => {
    if (name !== 'wbr') for (const handler of both) handler.ontext(TAG)
  }
  return {
    handler: {
      onopentag(name, attributes, isImplied) {
        mark(name)
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
    shown: () => visible.result().replaceAll(TAG, ''),
    looks: () => looksOf(visible.result(), all.result()),
  }
}
