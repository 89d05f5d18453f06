/** All names of the options `T`. */
export const namesOf = <T>(names: Record<keyof T, true>): string[] => Object.keys(names)

/**
 * Throws a `TypeError` if `options` has a name that is not in `known`: a test whose condition is misspelled would pass with
 * any message. For the packages that build on this one.
 */
export function checkNames(call: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const [nearest, edits] = known
    .map((name) => [name, distance(unknown.toLowerCase(), name.toLowerCase())] as const)
    .reduce((best, each) => (each[1] < best[1] ? each : best))
  const hint =
    edits <= Math.min(3, nearest.length / 2)
      ? `Did you mean \`${nearest}\`?`
      : `It has ${known.map((name) => `\`${name}\``).join(', ')}.`
  throw new TypeError(`${call}() has no option \`${unknown}\`. ${hint}`)
}

/** Levenshtein's distance: how many characters must be replaced, added or removed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    let left = i + 1
    row = row.map((above, j) => {
      if (j > 0) left = Math.min(above + 1, left + 1, (row[j - 1] ?? 0) + (b[j - 1] === letter ? 0 : 1))
      return left
    })
  }
  return row.at(-1) ?? 0
}
