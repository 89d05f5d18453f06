/**
 * Returns a function that takes a value and returns features: `only X` if no other value has the sign X, and `others X` if
 * other values have the sign X and this one does not.
 */
export function rivalsOf(
  signs: readonly string[],
  places: readonly { value: string; features: ReadonlySet<string> }[],
): (value: string) => string[] {
  const having = signs
    .map((sign) => ({
      sign,
      values: new Set(places.filter(({ features }) => features.has(sign)).map(({ value }) => value)),
    }))
    .filter(({ values }) => values.size > 0)
  return (value) =>
    having.flatMap(({ sign, values }) =>
      values.has(value) ? (values.size === 1 ? `only ${sign}` : []) : `others ${sign}`,
    )
}
