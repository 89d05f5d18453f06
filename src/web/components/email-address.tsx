/** An email address, which reads from left to right in every language; where it is too long for a line it breaks before the domain. */
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
