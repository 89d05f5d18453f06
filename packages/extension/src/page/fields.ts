/** Finds the fields of a page. Everything here reads the page and changes nothing. */

import { opensWithEmail, subjectOf, type Subject } from './email-or-code.ts'
import { cut, namesEmail } from './words.ts'

const TEXT_TYPES = new Set(['', 'email', 'text', 'tel', 'number', 'password', 'search', 'url'])

/** Fields that are smaller or more transparent are traps for programs that fill in everything. */
const SMALLEST = { width: 40, height: 12, opacity: 0.1 }
const SHORTEST_EMAIL = 10

/** All inputs, also those in open shadow trees. */
export function inputsIn(root: Document | ShadowRoot): HTMLInputElement[] {
  const found: HTMLInputElement[] = []
  for (const element of root.querySelectorAll('*')) {
    if (element instanceof HTMLInputElement) found.push(element)
    const shadow = shadowOf(element)
    if (shadow) found.push(...inputsIn(shadow))
  }
  return found
}

/** The shadow tree of an element. Extensions may also see closed ones. */
function shadowOf(element: Element): ShadowRoot | null {
  const { dom } =
    (globalThis as { chrome?: { dom?: { openOrClosedShadowRoot?: (of: Element) => ShadowRoot | null } } }).chrome ?? {}
  if (!element.localName.includes('-') && !element.shadowRoot) return null
  const opened = (element as { openOrClosedShadowRoot?: ShadowRoot | null }).openOrClosedShadowRoot
  return (
    element.shadowRoot ??
    opened ??
    (element instanceof HTMLElement ? dom?.openOrClosedShadowRoot?.(element) : null) ??
    null
  )
}

/** The element that has the focus, also inside shadow trees. */
export function focused(): Element | null {
  let element = document.activeElement
  while (element && shadowOf(element)?.activeElement) element = shadowOf(element)?.activeElement ?? null
  return element
}

/** Whether a person can see and use a field. */
export function isUsable(input: HTMLInputElement, smallest = SMALLEST.width): boolean {
  if (input.disabled || input.readOnly || input.closest('[aria-hidden=true], [inert]')) return false
  if (!input.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }))
    return false
  const { width, height, right, bottom } = input.getBoundingClientRect()
  const isSmall = width < smallest || height < SMALLEST.height
  // Above or beside the page, where nobody can scroll to.
  const isOutside = right + scrollX <= 0 || bottom + scrollY <= 0
  if (isSmall || isOutside) return false
  let opacity = 1
  for (let at: Element | null = input; at; at = at.parentElement) {
    const style = getComputedStyle(at)
    opacity *= Number(style.opacity)
    if (/^inset\(\s*(?:50|100)%|^rect\(0/.test(style.clipPath)) return false
  }
  return opacity >= SMALLEST.opacity
}

interface Words {
  texts: string[]
  names: string[]
}

/** What a field says about itself. */
export function wordsOf(input: HTMLInputElement): Words {
  const labels = [...(input.labels ?? [])].map((label) => label.textContent)
  const named = input.getAttribute('aria-labelledby')?.split(/\s+/) ?? []
  const root = input.getRootNode() as Document | ShadowRoot
  const others = named.map((id) => root.getElementById(id)?.textContent ?? '')
  const texts = [...labels, ...others, input.getAttribute('aria-label') ?? '', input.placeholder]
  return { texts: texts.map(cut), names: [input.name, input.id].map(cut) }
}

/** The names first, because a label may be a whole paragraph, of which only the beginning is read. */
export const inOneText = ({ texts, names }: Words): string => [...texts, ...names].toReversed().join('\n')

/** Whether the words of a field ask for an email address or, though they speak of email, for a code. */
export function subjectIn(words: Words): Subject | undefined {
  return namesEmail(inOneText(words)) ? subjectOf(words.texts, words.names) : undefined
}

export const hintsOf = (input: HTMLInputElement): string[] => input.autocomplete.toLowerCase().split(/\s+/)

/** Names of fields for a search, in English. */
const SEARCH_NAME = /^(?:q|query|keywords?)$|(?<!re)search/iu

/** Whether a field is there to search. */
export const isForSearch = (input: HTMLInputElement): boolean =>
  input.type === 'search' ||
  /^(?:combobox|searchbox)$/u.test(input.getAttribute('role') ?? '') ||
  input.closest('search, [role=search]') !== null ||
  [input.name, input.id].some((name) => SEARCH_NAME.test(name))

/** Digits, as the pattern of a field or as an example in it. */
const ONLY_DIGITS = /^\^?(?:\\d|\[0-9\]|\[\\d\])[\d{},+*]*\$?$/
const EXAMPLE_OF_DIGITS = /^[\d\s•·*_–-]{4,}$/

/** Whether an email address fits into a field. It does not fit into one for 6 digits, for example. */
export const hasRoomForEmail = ({ inputMode, maxLength, pattern, placeholder }: HTMLInputElement): boolean =>
  inputMode !== 'numeric' &&
  !ONLY_DIGITS.test(pattern) &&
  !EXAMPLE_OF_DIGITS.test(placeholder) &&
  (maxLength < 0 || maxLength >= SHORTEST_EMAIL)

/** How sure it is that a field takes an email address: 0 if it does not. */
export function emailScore(input: HTMLInputElement): number {
  if (!TEXT_TYPES.has(input.type) || input.type === 'password' || input.type === 'number') return 0
  const hints = hintsOf(input)
  if (input.type === 'email' || hints.includes('email')) return 3
  if (hints.some((hint) => hint.startsWith('cc-') || hint === 'one-time-code' || hint.endsWith('-name'))) return 0
  if (isForSearch(input)) return 0
  const words = wordsOf(input)
  const isOfPhone = input.type === 'tel' && !opensWithEmail([...words.texts, ...words.names])
  if (!isOfPhone && hasRoomForEmail(input) && subjectIn(words) === 'email') return 2
  return hints.includes('username') ? 1 : 0
}

/** The email fields of the page that a person can use, the most likely first. */
export function emailFields(): HTMLInputElement[] {
  return inputsIn(document)
    .map((input) => ({ input, score: emailScore(input) }))
    .filter(({ input, score }) => score > 0 && isUsable(input))
    .toSorted((a, b) => b.score - a.score || Number(a.input.value !== '') - Number(b.input.value !== ''))
    .map(({ input }) => input)
}
