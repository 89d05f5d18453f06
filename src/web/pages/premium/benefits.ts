const LIST = /<ul>[\s\S]*?<\/ul>/
const ITEM = /<li>[\s\S]*?<\/li>/g
/** The items about addresses and space: the form shows them, with the numbers of the configuration. */
const IN_FORM = 2

/** Returns the list of the other benefits from the text of the Premium page, as HTML. */
export function benefitsOf(html: string): string {
  const items = LIST.exec(html)?.[0].match(ITEM) ?? []
  return `<ul>${items.slice(IN_FORM).join('')}</ul>`
}
