/** Keeps unsent form input when the visitor leaves the page or changes its language, and when it reloads for a new build. */

const KEY = 'mayfly:forms'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
/** The form's action, the field's name and its value. */
type Kept = [string, string, string][]

const fieldsOf = (form: HTMLFormElement): Field[] =>
  ([...form.elements] as Field[]).filter(({ name, type }) => name && !/^(?:hidden|submit|button|password)$/.test(type))

const isChoice = (field: Field): field is HTMLInputElement => /^(?:radio|checkbox)$/.test(field.type)

const isTouched = (field: Field): boolean => {
  if (isChoice(field)) return field.checked && !field.defaultChecked
  if (field instanceof HTMLSelectElement) {
    const preselected = [...field.options].findIndex((option) => option.defaultSelected)
    return field.selectedIndex !== Math.max(0, preselected)
  }
  return field.value !== field.defaultValue
}

/** Forms that are sent. Others are controls of the page, such as the domain of the next random address, and have no action. */
const forms = (): HTMLFormElement[] => [...document.forms].filter((form) => form.hasAttribute('action'))

const read = (storage: Pick<Storage, 'getItem'>): Kept => JSON.parse(storage.getItem(KEY) ?? '[]') as Kept

export function keepForms(storage: Pick<Storage, 'getItem' | 'setItem'>): void {
  const kept: Kept = forms().flatMap((form) =>
    fieldsOf(form)
      .filter(isTouched)
      .map(({ name, value }): Kept[number] => [form.action, name, value]),
  )
  const here = new Set(forms().map(({ action }) => action))
  const elsewhere = read(storage).filter(([action]) => !here.has(action))
  storage.setItem(KEY, JSON.stringify([...elsewhere, ...kept]))
}

/** Restores kept input into the forms of the page, and removes what was restored from the storage. */
export function restoreForms(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): void {
  const left = read(storage).filter(([action, name, value]) => {
    const form = forms().find((each) => each.action === action)
    const field = form && fieldsOf(form).find((each) => each.name === name && (!isChoice(each) || each.value === value))
    if (!field) return true
    if (!isChoice(field)) fill(field, value)
    else if (!field.checked) field.click()
    return false
  })
  if (left.length > 0) storage.setItem(KEY, JSON.stringify(left))
  else storage.removeItem(KEY)
}

/** Sets the value as typing does. React ignores values that scripts set through its own property tracking. */
function fill(field: Field, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}
