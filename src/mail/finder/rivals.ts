/**
 * Returns a function that compares a value with the others: which of the signs it alone has, and which only others have.
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
