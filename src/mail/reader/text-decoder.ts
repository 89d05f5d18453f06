import { normalizeEncoding, TextDecoder as StandardDecoder } from '@exodus/bytes/encoding.js'

/** Charsets that Node's TextDecoder decodes with older tables than those of https://encoding.spec.whatwg.org/. */
const INCOMPLETE = new Set(['big5', 'euc-kr', 'iso-2022-jp', 'shift_jis'])

let isReplaced = false

/**
 * Replaces TextDecoder in this thread, because that of Node lacks three quarters of the Korean syllables and the characters
 * of Hong Kong. It is global because postal-mime uses the global one, whose decoders it keeps: call this before the first
 * message is read. Every thread must call it that reads any part of a message. Otherwise the author that is shown could
 * differ from the one that DMARC was checked for. Browsers, which read the messages of private inboxes, follow the standard.
 */
export function useStandardDecoders(): void {
  if (isReplaced) return
  isReplaced = true
  const NodeDecoder = globalThis.TextDecoder
  globalThis.TextDecoder = new Proxy(NodeDecoder, {
    construct(_, [label, options]: ConstructorParameters<typeof TextDecoder>) {
      const Decoder = INCOMPLETE.has(normalizeEncoding(label ?? '') ?? '') ? StandardDecoder : NodeDecoder
      return new Decoder(label, options)
    },
  })
}
