import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { HOUR, MINUTE } from '#core/time.ts'
import { isOffer, useBars } from '../app/bars.ts'
import { usePage } from '../app/page.tsx'
import { session } from '../app/storage.ts'
import { commitAll, type Failure, hold, listenForFailures, undo } from '../hooks/deletions.ts'
import { useInboxElsewhere } from '../hooks/use-inbox-elsewhere.ts'
import { useNow } from '../hooks/use-now.ts'
import { useText } from '../i18n/text.tsx'
import { Button } from './button.tsx'
import { CodeOrLink } from './code-or-link.tsx'
import { ProblemText } from './problem-line.tsx'
import { senderName } from './sender.ts'
import css from './dock.module.css'

/** Codes rarely work longer. An older one is not offered again and again. */
const OFFERED_FOR = HOUR
const DISMISSED = 'mayfly:dismissed'

/**
 * The bars at the bottom of every page: "Undo" after a deletion, and the newest code or link while it is off screen.
 * They reserve space at the end of the page, and nothing that has the focus stays behind them (WCAG 2.4.11).
 */
export function Dock() {
  const ref = useRef<HTMLDivElement>(null)
  useReservedSpace(ref)
  useInboxElsewhere()
  useDeletionsOfAddress()
  return (
    <div ref={ref} className={css.dock}>
      <UndoBar />
      <NewsBar />
    </div>
  )
}

function UndoBar() {
  const text = useText()
  const { undoable } = useBars()
  const [failure, setFailure] = useState<Failure | null>(null)
  const count = undoable.length
  useEffect(() => listenForFailures(setFailure), [])
  useEffect(() => {
    if (count > 0) setFailure(null)
  }, [count])
  return (
    <>
      <div role="status">
        {count > 0 ? (
          <div
            className={css.bar}
            onPointerEnter={() => hold(true)}
            onPointerLeave={() => hold(false)}
            onFocus={() => hold(true)}
            onBlur={() => hold(false)}
          >
            <span className={css.words}>{text('undo.deleted', { count })}</span>
            <Button
              onClick={() => {
                undo()
                // The button disappears. The focus goes to the message that is back.
                const [id = ''] = undoable
                setTimeout(() => {
                  const row = document.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] a`)
                  ;(row ?? document.getElementById('main'))?.focus()
                })
              }}
            >
              {text('undo.undo')}
            </Button>
          </div>
        ) : null}
      </div>
      {failure ? (
        <div className={css.bar} data-failed>
          <div className={css.failure} role="alert">
            <strong>{text('undo.failed', { count: failure.count })}</strong>
            <span>
              <ProblemText problem={failure.problem} />
            </span>
          </div>
          <Close onClick={() => setFailure(null)} />
        </div>
      ) : null}
    </>
  )
}

function NewsBar() {
  const text = useText()
  const { messages, followed, pending } = useBars()
  const { payload } = usePage()
  const now = useNow(MINUTE)
  const [dismissed, setDismissed] = useState(() => session.getItem(DISMISSED))
  const newest = messages.find((each) => isOffer(each) && !pending.has(each.id))
  const recent = newest && now - Date.parse(newest.receivedAt) < OFFERED_FOR && newest.id !== dismissed
  const offered = recent && isBarAllowedOn(payload.page) ? newest : undefined
  const onScreen = useOnScreen(offered?.id)
  const shown = offered && onScreen === false ? offered : undefined
  const sender = shown ? senderName(shown.from) : ''
  return (
    <>
      {/* A page that follows the inbox announces what arrives. */}
      <p className="quiet" role="status">
        {shown && !followed ? words(shown, sender, text) : ''}
      </p>
      {shown ? (
        <section className={css.bar} aria-label={text('bar.title')} data-bar="">
          <bdi className={css.words}>{sender}</bdi>
          <CodeOrLink message={shown} />
          <Close
            onClick={() => {
              session.setItem(DISMISSED, shown.id)
              setDismissed(shown.id)
            }}
          />
        </section>
      ) : null}
    </>
  )
}

/** A second inbox would be confusing on the page of a fully private one. */
const isBarAllowedOn = (page: string): boolean => page !== 'private'

const words = (message: MessageSummaryJson, sender: string, text: ReturnType<typeof useText>): string =>
  message.code === null
    ? text('inbox.new', { sender, subject: message.subject })
    : text('inbox.newCode', { sender, code: message.code })

function Close({ onClick }: { onClick: () => void }) {
  const text = useText()
  return (
    <button type="button" className={css.close} aria-label={text('recovery.close')} onClick={onClick}>
      <X size={18} aria-hidden />
    </button>
  )
}

/**
 * Whether the page shows what a message offers, in its row or in the open message. Undefined until the browser has told, so
 * that no bar flashes up at each load.
 */
function useOnScreen(id: string | undefined): boolean | undefined {
  const [onScreen, setOnScreen] = useState<boolean>()
  useEffect(() => {
    if (id === undefined) return undefined
    let target: Element | null | undefined
    // A busy page delivers several entries at once, some of them for an earlier target. The last one is current.
    const seen = new IntersectionObserver((entries) => setOnScreen(entries.at(-1)?.isIntersecting ?? false), {
      threshold: 0.9,
    })
    const find = (): void => {
      const found = document.querySelector(`#main [data-offer="${CSS.escape(id)}"]`)
      if (found === target) return
      if (target) seen.unobserve(target)
      target = found
      if (found) seen.observe(found)
      else setOnScreen(false)
    }
    const changes = new MutationObserver(find)
    changes.observe(document.body, { childList: true, subtree: true })
    find()
    return () => {
      seen.disconnect()
      changes.disconnect()
    }
  }, [id])
  return onScreen
}

/** Keeps the bars from covering the end of the page or the element that has the focus. */
function useReservedSpace(ref: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const dock = ref.current
    if (!dock) return undefined
    const { style } = document.documentElement
    const reveal = (): void => {
      const { activeElement } = document
      if (!activeElement || activeElement === document.body || dock.contains(activeElement)) return
      if (activeElement.id === 'main') return
      const { top, bottom } = activeElement.getBoundingClientRect()
      const edge = dock.getBoundingClientRect().top
      if (bottom > edge && top < innerHeight) scrollBy(0, Math.min(bottom - edge + 8, Math.max(0, top)))
    }
    const resized = new ResizeObserver(() => {
      const height = `${dock.offsetHeight}px`
      style.setProperty('--dock', height)
      if (dock.offsetHeight > 0) reveal()
    })
    resized.observe(dock)
    addEventListener('focusin', reveal)
    return () => {
      resized.disconnect()
      removeEventListener('focusin', reveal)
      style.removeProperty('--dock')
    }
  }, [ref])
}

/** Ends the time for Undo when another window opened another address. The server refuses deletions it can't carry out. */
function useDeletionsOfAddress(): void {
  const { address } = useBars()
  const before = useRef(address)
  useEffect(() => {
    if (before.current !== undefined && before.current !== address) commitAll()
    before.current = address
  }, [address])
}
