const MAX_LENGTH = 64

/**
 * Returns the login that a shared text suggests: the host of a link, the part before the `@` of an address, otherwise
 * the text itself, each with dots instead of what a login cannot have. Empty if nothing is left.
 */
export function sharedName({ name = '', link = '' }: Record<string, string>): string {
  const text = (name.trim() || link).trim()
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  const words = url ? url.hostname.replace(/^www\./, '') : text.split('@', 1)[0]
  return (words ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '.')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^\.+|\.+$/g, '')
}
