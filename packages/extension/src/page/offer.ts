import { codeFields } from './code-fields.ts'
import { fillCode } from './fill.ts'
import { button, openShell } from './shell.ts'

export interface Offer {
  /** The only origin on which it may be shown. */
  origin: string
  code: string | null
  /** Whether the message has a confirmation link. The page never learns it. */
  link: boolean
  texts: { fillCode: string; openLink: string; direction: string }
}

/** An offer is withdrawn after this time, in milliseconds. */
const SHOWN_FOR = 10 * 60_000

let withdraw: (() => void) | undefined
export const withdrawOffer = (): void => withdraw?.()

/** Offers the code at its field, as soon as there is one, and the link in a corner. Each needs a click. */
export function showOffer({ origin, code, link, texts }: Offer, onDone: (done: 'code' | 'link') => void): void {
  if (self.origin !== origin) return
  withdrawOffer()
  const shell = openShell(texts.direction)
  const done = (what: 'code' | 'link'): void => {
    withdrawOffer()
    onDone(what)
  }
  const row = document.createElement('div')
  row.className = 'row'
  if (code !== null) {
    const chip = button('chip', texts.fillCode, () => {
      if (self.origin === origin && fillCode(code)) done('code')
    })
    chip.append(texts.fillCode)
    row.append(chip)
    row.hidden = true
  }
  shell.root.append(row)
  if (link && code === null && top === self) {
    const corner = document.createElement('div')
    corner.className = 'row fixed'
    const chip = button('chip', texts.openLink, () => done('link'))
    chip.append(texts.openLink)
    corner.append(chip)
    shell.root.append(corner)
  }

  let planned = 0
  function place(): void {
    planned = 0
    const [field] = codeFields(code ?? undefined)
    row.style.display = field ? '' : 'none'
    if (!field) return
    const box = field.getBoundingClientRect()
    const { top: y, left: x } = shell.host.getBoundingClientRect()
    row.style.top = `${box.bottom + 8 - y}px`
    row.style.left = `${box.left - x}px`
  }
  const plan = (): void => {
    planned ||= requestAnimationFrame(place)
  }
  const observer = new MutationObserver(plan)
  observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true })
  const events = ['scroll', 'resize'] as const
  for (const event of events) addEventListener(event, plan, { capture: true, passive: true })
  const timer = setTimeout(withdrawOffer, SHOWN_FOR)
  withdraw = () => {
    withdraw = undefined
    clearTimeout(timer)
    observer.disconnect()
    for (const event of events) removeEventListener(event, plan, { capture: true })
    shell.host.remove()
  }
  row.hidden = false
  place()
}
