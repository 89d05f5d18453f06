/** An address for a text, which can't contain elements: a long one wraps before the `@`, not within a word. */
export const wrapping = (address: string): string => address.replace('@', '\u200B@')

/** An email address. It is set from left to right in every language, and a long one wraps before the `@`. */
export function EmailAddress({ children: address }: { children: string }) {
  const at = address.lastIndexOf('@')
  return (
    <bdi dir="ltr">
      {address.slice(0, at)}
      <wbr />
      <span>{address.slice(at)}</span>
    </bdi>
  )
}
