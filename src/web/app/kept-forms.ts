import { shownAccount } from '../api/api.ts'

/**
 * Keeps unsent form input when the visitor goes to another page of the site or changes the language, and when a page reloads
 * for a new build: that of forms with an `action`, and of others that have a name in `data-keep` (`KeptForm`). Forms with
 * neither are controls of their page or ask for a confirmation. Secrets are never kept, and nobody gets the input of another
 * account.
 */

/** Where the input of the account of the page is, or of a visitor who is not signed in. */
const key = (): string => `mayfly:forms ${shownAccount()}`

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
/** The name of the form, the name of the field and its value. */
type Kept = [string, string, string][]

const fieldsOf = (form: HTMLFormElement): Field[] =>
  ([...form.elements] as Field[]).filter(
    ({ name, type, autocomplete }) =>
      name && !/^(?:hidden|submit|button|password)$/.test(type) && autocomplete !== 'one-time-code',
  )

const isChoice = (field: Field): field is HTMLInputElement => /^(?:radio|checkbox)$/.test(field.type)

const isTouched = (field: Field): boolean => {
  if (isChoice(field)) return field.checked && !field.defaultChecked
  if (field instanceof HTMLSelectElement) {
    const preselected = [...field.options].findIndex((option) => option.defaultSelected)
    return field.selectedIndex !== Math.max(0, preselected)
  }
  return field.value !== field.defaultValue
}

const nameOf = (form: HTMLFormElement): string | undefined =>
  form.dataset.keep ?? (form.hasAttribute('action') ? form.action : undefined)

/** Whether the input is being sent. Kept, it would come back later although it was sent. */
const isSending = (form: HTMLFormElement): boolean => [...form.elements].some((each) => each.matches('[aria-disabled]'))

const read = (storage: Pick<Storage, 'getItem'>): Kept => JSON.parse(storage.getItem(key()) ?? '[]') as Kept

const isNamed =
  (name: string) =>
  (form: HTMLFormElement): boolean =>
    nameOf(form) === name

export function keepForms(storage: Pick<Storage, 'getItem' | 'setItem'>): void {
  const here = [...document.forms]
  const kept = here.flatMap((form) => {
    const of = nameOf(form)
    if (of === undefined || isSending(form)) return []
    return fieldsOf(form)
      .filter(isTouched)
      .map(({ name, value }): Kept[number] => [of, name, value])
  })
  const elsewhere = read(storage).filter(([of]) => !here.some(isNamed(of)))
  storage.setItem(key(), JSON.stringify([...elsewhere, ...kept]))
}

/** Restores kept input into the forms of the page, and removes what was restored from the storage. */
export function restoreForms(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): void {
  const left = read(storage).filter(([of, name, value]) => {
    const form = [...document.forms].find(isNamed(of))
    const field = form && fieldsOf(form).find((each) => each.name === name && (!isChoice(each) || each.value === value))
    if (!field) return true
    if (!isChoice(field)) fill(field, value)
    else if (!field.checked) field.click()
    return false
  })
  if (left.length > 0) storage.setItem(key(), JSON.stringify(left))
  else storage.removeItem(key())
}

/** Sets the value as typing does. React ignores values that scripts set through its own property tracking. */
function fill(field: Field, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}
