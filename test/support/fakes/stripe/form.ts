type Value = string | Value[] | { [key: string]: Value }

/** Parses Stripe's form encoding: `a[b][0]=c` is `{ a: { b: ['c'] } }`. */
export function parseForm(text: string): Record<string, Value> {
  const root: Record<string, Value> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    const last = path.pop() ?? ''
    let at = root
    for (const step of path) at = (at[step] ??= {}) as Record<string, Value>
    at[last] = value
  }
  return withLists(root) as Record<string, Value>
}

function withLists(value: Value): Value {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withLists(inner)] as const)
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index))
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
