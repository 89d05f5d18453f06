/**
 * Returns a function that takes a value and returns features: `only X` if no other value has the sign X, and `others X` if
 * other values have the sign X and this one does not.
 */
export function rivalsOf(
  signs: readonly string[],
  places: readonly { value: string; features: ReadonlySet<string> }[],
): (value: string) => string[] {
  const having: { only: string; others: string; values: Set<string> }[] = []
  for (const sign of signs) {
    const values = new Set<string>()
    for (const { value, features } of places) if (features.has(sign)) values.add(value)
    if (values.size > 0) having.push({ only: `only ${sign}`, others: `others ${sign}`, values })
  }
  return (value) => {
    const found: string[] = []
    for (const { only, others, values } of having)
      if (!values.has(value)) found.push(others)
      else if (values.size === 1) found.push(only)
    return found
  }
}
