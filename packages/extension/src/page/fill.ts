import { FOCUSED } from './calls.ts'
import { charactersOf, codeFields } from './code-fields.ts'
import { emailFields, emailScore, focused, inputsIn, isUsable } from './fields.ts'

/**
 * Sets the value of a field as typing does. React notices only values that are set through the setter of the prototype,
 * because it replaces the setter of the element.
 */
export function setValue(input: HTMLInputElement, value: string): void {
  input.focus({ preventScroll: true })
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  setter?.call(input, value)
  const common = { bubbles: true, composed: true }
  input.dispatchEvent(new InputEvent('input', { ...common, inputType: 'insertText', data: value }))
  input.dispatchEvent(new Event('change', common))
}

const AGAIN =
  /confirm|repeat|retype|again|verify|wiederhol|bestätig|répét|confirma|conferma|herhaal|повтор|подтверд|确认|確認|재입력/i

/** The field of the same form that asks for the address a second time. */
function repetitionOf(field: HTMLInputElement): HTMLInputElement | undefined {
  return inputsIn(field.getRootNode() as Document | ShadowRoot).find(
    (other) =>
      other !== field &&
      other.form === field.form &&
      emailScore(other) > 0 &&
      isUsable(other) &&
      AGAIN.test(`${other.name} ${other.id} ${other.placeholder} ${other.labels?.[0]?.textContent ?? ''}`),
  )
}

/** The field that a fill would use: the one that has the focus if it can take an address, else the most likely one. */
export function target(): HTMLInputElement | undefined {
  const active = focused()
  if (active instanceof HTMLInputElement && isUsable(active) && /^(?:email|text|)$/.test(active.type)) {
    // A focused field that says nothing about itself was chosen by the visitor.
    const mayTakeAddress = emailFields().length === 0 && !codeFields().includes(active)
    if (emailScore(active) > 0 || mayTakeAddress) return active
  }
  return emailFields()[0]
}

/** How well the best field of this frame fits the address: 0 if there is none. */
export function fillScore(): number {
  const field = target()
  if (!field) return 0
  return (field === focused() && document.hasFocus() ? FOCUSED : 0) + emailScore(field) + 1
}

export function fillAddress(address: string, field = target()): boolean {
  if (!field) return false
  const again = repetitionOf(field)
  setValue(field, address)
  if (again) setValue(again, address)
  field.focus({ preventScroll: true })
  return true
}

/** Fills in a code, one character in each box if there are boxes. */
export function fillCode(code: string): boolean {
  const fields = codeFields(code)
  const [first] = fields
  if (!first) return false
  const characters = charactersOf(code)
  if (fields.length > 1) for (const [i, field] of fields.entries()) setValue(field, characters[i] ?? '')
  else setValue(first, first.maxLength > 0 && code.length > first.maxLength ? characters.join('') : code)
  return true
}
