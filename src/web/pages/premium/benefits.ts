/** The first list of the text, with its heading. */
const PART = /<h2[^>]*>([\s\S]*?)<\/h2>\s*<ul>[\s\S]*?<\/ul>/
const ITEM = /<li>[\s\S]*?<\/li>/g
/** The items about addresses and space: the form shows them, with the numbers of the configuration. */
const IN_FORM = 2

/** Returns the list of the other benefits, with its heading, from the text of the Premium page, as HTML. */
export function benefitsOf(html: string): string {
  const [part = '', heading = ''] = PART.exec(html) ?? []
  const items = part.match(ITEM) ?? []
  return `<h3>${heading}</h3><ul>${items.slice(IN_FORM).join('')}</ul>`
}
