import type { MarkTexts } from './marks.ts'
import type { Offer } from './offer.ts'

/** What a frame with the focus in a field wants at least. */
export const FOCUSED = 10

/** What the background calls in a page, in the world of the extension. */
export interface PageCalls {
  want(): number
  /** Fills in the address if the page still has this origin. */
  fillAddress(address: string, origin: string): boolean
  fillCode(code: string, origin: string): boolean
  showOffer(offer: Offer): void
  hideMarks(): void
}

/** What a page asks the background for. The background decides by the sender of the message, not by its content. */
export type PageRequest =
  | { type: 'marks' }
  | { type: 'fill' }
  | { type: 'hide' }
  | { type: 'done'; what: 'code' | 'link' }

/** The texts of the marks. Null if the page has none. */
export type MarksReply = MarkTexts | null
/** The address to fill in. Null if there is none. */
export type FillReply = { address: string } | null

declare global {
  // The world of the extension. The page has its own global object.
  var mayfly: PageCalls | undefined
}
