/**
 * Returns a function from a value to its features: `only X` for each sign X that no other value has, and `others X` for
 * each sign that other values have and it does not.
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
