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

/** A text that names an address, which wraps before the `@` as well. */
export function WithAddress({ text, address }: { text: string; address: string }) {
  const at = text.indexOf(address)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <EmailAddress>{address}</EmailAddress>
      {text.slice(at + address.length)}
    </>
  )
}
