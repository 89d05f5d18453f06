import { emailFields } from './fields.ts'
import { fillAddress } from './fill.ts'
import { button, logo, openShell, type Shell } from './shell.ts'

/** The most marks on a page. */
const MAX_MARKS = 5
const SIZE = 24
/** Space for the mark of a password manager at the end of the field. */
const STEP = 30

export interface MarkTexts {
  fill: string
  hide: string
  direction: string
}

interface Mark {
  field: HTMLInputElement
  row: HTMLElement
}

export interface Marks {
  stop(): void
}

/** Shows a mark in each email field, without changing the layout of the page, for as long as `isCurrent`. */
export function showMarks(
  texts: MarkTexts,
  requestAddress: () => Promise<string | null>,
  onHide: () => void,
  isCurrent: () => boolean,
): Marks {
  const shell = openShell(texts.direction)
  let marks: Mark[] = []
  let planned = 0

  function markFor(field: HTMLInputElement): Mark {
    const row = document.createElement('div')
    row.className = 'row'
    const mark = button('mark', texts.fill, () => {
      void requestAddress().then((address) => address !== null && field.isConnected && fillAddress(address, field))
    })
    mark.append(logo(18))
    const off = button('off', texts.hide, onHide)
    off.append('×')
    row.append(off, mark)
    shell.root.append(row)
    return { field, row }
  }

  function update(): void {
    planned = 0
    // A page that removes the marks gets no new ones.
    if (!shell.host.isConnected || !isCurrent()) return stop()
    const fields = emailFields().slice(0, MAX_MARKS)
    for (const { row } of marks.filter(({ field }) => !fields.includes(field))) row.remove()
    marks = fields.map((field) => marks.find((each) => each.field === field) ?? markFor(field))
    for (const mark of marks) place(mark, shell)
  }

  const plan = (): void => {
    planned ||= requestAnimationFrame(update)
  }
  const observer = new MutationObserver(plan)
  observer.observe(document.documentElement, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['class', 'style', 'hidden', 'type', 'disabled'],
  })
  const events = ['scroll', 'resize', 'focusin', 'transitionend'] as const
  for (const event of events) addEventListener(event, plan, { capture: true, passive: true })
  update()

  function stop(): void {
    observer.disconnect()
    for (const event of events) removeEventListener(event, plan, { capture: true })
    cancelAnimationFrame(planned)
    shell.host.remove()
  }
  return { stop }
}

/** Puts a mark at the end of its field, before whatever is there already. */
function place({ field, row }: Mark, shell: Shell): void {
  const box = field.getBoundingClientRect()
  const rightToLeft = getComputedStyle(field).direction === 'rtl'
  const y = box.top + box.height / 2
  const at = (step: number): number => (rightToLeft ? box.left + 4 + step * STEP : box.right - 4 - SIZE - step * STEP)
  const isFree = (step: number): boolean => {
    const top = document.elementsFromPoint(at(step) + SIZE / 2, y).find((each) => each !== shell.host)
    return top === undefined || top === field || top.contains(field) || top.shadowRoot !== null
  }
  const managed = /data-(?:lastpass|1p|dashlane|bitwarden)|com-1password|nordpass/.test(
    [...field.attributes].map(({ name }) => name).join(' '),
  )
  let step = managed || getComputedStyle(field).backgroundImage !== 'none' ? 1 : 0
  while (step < 3 && !isFree(step)) step++
  const root = shell.host.getBoundingClientRect()
  row.style.flexDirection = rightToLeft ? 'row-reverse' : 'row'
  row.style.insetBlockStart = `${y - SIZE / 2 - root.top}px`
  // The button that hides the marks is before the mark.
  row.style.left = `${(rightToLeft ? at(step) : at(step) - 20) - root.left}px`
}
