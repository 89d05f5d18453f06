import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { browser } from '../browser.ts'
import type { FillReply, MarksReply, PageRequest } from '../page/calls.ts'
import { fillAddress, fillCode, fillScore } from '../page/fill.ts'
import { type Marks, showMarks } from '../page/marks.ts'
import { showOffer, withdrawOffer } from '../page/offer.ts'

/** The part of the extension in a page. It knows no address before it fills one in. */
export default defineUnlistedScript(() => {
  // The script of an earlier build may lack functions.
  const earlier: Partial<NonNullable<typeof globalThis.mayfly>> | undefined = globalThis.mayfly
  if (earlier?.isCurrent?.()) return
  earlier?.hideMarks?.()
  earlier?.withdrawOffer?.()
  // Browsers take the id from scripts of an extension that was updated or removed.
  const isCurrent = (): boolean => {
    try {
      return Boolean(browser.runtime.id)
    } catch {
      return false
    }
  }
  const ask = async <Reply>(request: PageRequest): Promise<Reply | null> => {
    if (isCurrent()) return browser.runtime.sendMessage(request) as Promise<Reply>
    hideMarks()
    return null
  }
  let marks: Marks | undefined
  const hideMarks = (): void => {
    marks?.stop()
    marks = undefined
  }

  globalThis.mayfly = {
    isCurrent,
    fillScore,
    fillAddress: (address, origin) => self.origin === origin && fillAddress(address),
    fillCode: (code, origin) => self.origin === origin && fillCode(code),
    showOffer: (offer) => showOffer(offer, (what) => void ask({ type: 'done', what })),
    withdrawOffer,
    hideMarks,
  }

  void ask<MarksReply>({ type: 'marks' }).then((texts) => {
    if (!texts) return
    marks = showMarks(
      texts,
      async () => {
        const reply = await ask<FillReply>({ type: 'fill' })
        if (reply !== 'off') return reply?.address ?? null
        hideMarks()
        return null
      },
      () => {
        hideMarks()
        void ask({ type: 'hide' })
      },
      isCurrent,
    )
  })
})
