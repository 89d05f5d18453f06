import type { MarkTexts } from './marks.ts'
import type { Offer } from './offer.ts'

/** The minimum result of `fillScore` in a frame whose field has the focus. */
export const FOCUSED = 10

/** The functions that the background calls in a page, in the isolated world of the extension. */
interface PageCalls {
  /** False after the extension was updated: the script can no longer ask its background. */
  isCurrent(): boolean
  fillScore(): number
  /** Fills in the address if the page still has this origin. */
  fillAddress(address: string, origin: string): boolean
  fillCode(code: string, origin: string): boolean
  showOffer(offer: Offer): void
  withdrawOffer(): void
  hideMarks(): void
}

/** The requests of a page to the background, which decides by the sender of the message, not by its content. */
export type PageRequest =
  | { type: 'marks' }
  | { type: 'fill' }
  | { type: 'hide' }
  | { type: 'done'; what: 'code' | 'link' }

/** The texts of the marks. Null if the page has none. */
export type MarksReply = MarkTexts | null
/** The address to fill in. Null if there is none, `off` if the page must have no marks any longer. */
export type FillReply = { address: string } | 'off' | null

declare global {
  // Set in the isolated world of the extension. The page has another global object.
  var mayfly: PageCalls | undefined
}
