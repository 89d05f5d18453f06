import { useEffect, useRef } from 'react'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { getBars } from '../../app/bars.ts'
import { local } from '../../app/storage.ts'
import { OPEN_POPOVER } from '../../hooks/popovers.ts'
import { focusBeside, linkOf, rowOf, rows } from './rows.ts'

const KEY = 'mayfly:shortcuts'

/** Whether single keys are shortcuts. The visitor can switch them off (WCAG 2.1.4). */
export const shortcutsOn = (): boolean => local.getItem(KEY) !== 'off'

export function switchShortcuts(on: boolean): void {
  if (on) local.removeItem(KEY)
  else local.setItem(KEY, 'off')
}

type Keys = Partial<Record<string, () => void>>

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && target.type === 'checkbox')

/** What stands for a key that many keyboards of other scripts lack. */
const INSTEAD: Partial<Record<string, string>> = { '№': '#', '؟': '?' }

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey' | 'getModifierState'>

/**
 * The key of a shortcut that was pressed; undefined for one with modifiers. Those that make the character of a key are not
 * modifiers: AltGr, which Windows reports as Ctrl and Alt, Option on Apple, and Caps Lock. Other scripts than Latin have their
 * letters on the keys of the Latin ones.
 */
export function keyOf(press: Press, isApple: boolean): string | undefined {
  const { key, code, ctrlKey, altKey, metaKey, shiftKey } = press
  const isComposed = press.getModifierState('AltGraph') || (isApple && altKey && !ctrlKey)
  if (metaKey || (!isComposed && (ctrlKey || altKey))) return undefined
  const known = INSTEAD[key] ?? key
  if (/^[!-@[-`{-~]$/.test(known)) return known
  if (isComposed || shiftKey) return undefined
  if (key === 'Delete') return '#'
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  return (letter !== undefined && /[^\p{Script=Latin}]/u.test(key) ? letter : key).toLowerCase()
}

/** Calls the function of a key that is pressed without modifiers, but not while typing or while a dialog is open. */
export function useShortcuts(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKey = (event: Event): void => {
      // Password managers send events of this name that have no key.
      if (!(event instanceof KeyboardEvent)) return
      const key = keyOf(event, /Mac|iP/.test(navigator.platform))
      const act = key === undefined ? undefined : latest.current[key]
      if (!act || event.defaultPrevented || event.isComposing) return
      if (isTyping(event.target) || !shortcutsOn() || document.querySelector(`dialog[open], ${OPEN_POPOVER}`)) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Moves the focus by some rows. Without a focused row it goes to the first one. */
function move(step: number): void {
  const all = rows()
  const at = all.indexOf(rowOf(document.activeElement) as HTMLElement)
  linkOf(all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + step))])?.focus()
}

interface ListShortcuts {
  messages: readonly MessageSummaryJson[]
  onRemove: (id: string) => unknown
  onSearch: () => void
  onHelp: () => void
}

/** Shortcuts of the list. They act on the focused row. Enter opens it because its link has the focus. */
export function useListShortcuts({ messages, onRemove, onSearch, onHelp }: ListShortcuts): void {
  const focused = (): string | undefined => rowOf(document.activeElement)?.dataset.id
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    c() {
      // The newest code if no row has the focus.
      const id = focused() ?? messages.find(({ code }) => code !== null)?.id
      document.querySelector<HTMLElement>(`tr[data-id="${id}"] [data-offer] button`)?.click()
    },
    '#': () => {
      const id = focused()
      if (id === undefined) return
      focusBeside([id])
      onRemove(id)
    },
    u() {
      if (getBars().undoable.length > 0) void import('../../parts/bars.ts').then(({ undo }) => undo())
    },
    '/': onSearch,
    '?': onHelp,
  })
}
