/** The middle of the samples; the mean of the two middle ones where there is none. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN
  const high = sorted[Math.floor(middle)] ?? Number.NaN
  return (low + high) / 2
}

/** A Markdown table; the first row is its head. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const [head = [], ...body] = rows
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')
}

export const round = (value: number, digits = 0): string => value.toFixed(digits)
