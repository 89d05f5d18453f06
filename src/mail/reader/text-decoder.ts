import { normalizeEncoding, TextDecoder as StandardDecoder } from '@exodus/bytes/encoding.js'

/** Charsets that Node's TextDecoder decodes with older tables than those of https://encoding.spec.whatwg.org/. */
const INCOMPLETE = new Set(['big5', 'euc-kr', 'iso-2022-jp', 'shift_jis'])

let isReplaced = false

/**
 * Replaces the global TextDecoder of this thread, which `charset.ts` and postal-mime use. Node's own lacks three quarters
 * of the Korean syllables and the characters of Hong Kong. Browsers, which read the messages of private inboxes, follow
 * the standard.
 *
 * Call this before the first message is read, because both keep their decoders. Every thread that reads messages or their
 * headers must call it. Otherwise the author that is shown could differ from the one that DMARC was checked for.
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
