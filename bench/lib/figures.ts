/** Returns the median. With an even number of samples, it is the mean of the two middle ones. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN
  const high = sorted[Math.floor(middle)] ?? Number.NaN
  return (low + high) / 2
}

/** Returns a Markdown table. The first row is the header. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const [head = [], ...body] = rows
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')
}

export const round = (value: number, digits = 0): string => value.toFixed(digits)
