/** Returns the fields of a relay's error that are safe to log. Its message may contain an email address. */
export function reasonOf(error: unknown): object {
  const { cause = error } = error as Error
  const { name, code, responseCode, command } = cause as Partial<Record<string, unknown>>
  return { error: name, code, responseCode, command }
}
