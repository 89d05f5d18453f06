/** Of an error of a relay what names nobody, for the log: its words may have an address in them. */
export function reasonOf(error: unknown): object {
  const { cause = error } = error as Error
  const { name, code, responseCode, command } = cause as Partial<Record<string, unknown>>
  return { error: name, code, responseCode, command }
}
