/**
 * Returns a function that makes a value for the bytes of a message only once. The copies of a message to many mailboxes
 * are one buffer, so all of them get the same value.
 */
export function sharedByCopies<Args extends unknown[], T>(make: (raw: Uint8Array, ...args: Args) => T): typeof make {
  const made = new WeakMap<Uint8Array, { value: T }>()
  return (raw, ...args) => {
    const known = made.get(raw) ?? { value: make(raw, ...args) }
    made.set(raw, known)
    return known.value
  }
}
