import type { ErrorObject } from 'ajv'

interface Branch {
  properties?: Record<string, { const?: unknown }>
}

/**
 * Returns the errors of Ajv without duplicates, with the choices where a value is none of them. Of alternatives that a
 * property such as `action` tells apart, only the errors of the chosen one remain. Needs errors with `verbose`.
 */
export function clearErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const chosen = errors
    .filter(({ keyword }) => keyword === 'anyOf')
    .reduce<readonly ErrorObject[]>((all, anyOf) => withChosen(all, anyOf), errors)
  const told = chosen.map((error) => ({ ...error, message: messageOf(error) }))
  const unique = new Map(told.map((error) => [`${error.instancePath} ${error.message}`, error]))
  const found = [...unique.values()]
  const precise = found.filter(({ keyword }) => keyword !== 'anyOf')
  return precise.length > 0 ? precise : found
}

/** Replaces the errors of all alternatives by those of the one that the data chooses, if it can be told. */
function withChosen(errors: readonly ErrorObject[], anyOf: ErrorObject): readonly ErrorObject[] {
  const branches = anyOf.schema as Branch[]
  const data = anyOf.data as Record<string, unknown> | null
  const [first] = branches
  const name = Object.keys(first?.properties ?? {}).find((each) =>
    branches.every(({ properties }) => properties?.[each] && 'const' in properties[each]),
  )
  if (name === undefined || data === null || typeof data !== 'object') return errors
  const choices = branches.map(({ properties }) => properties?.[name]?.const)
  const index = choices.indexOf(data[name])
  const others = errors.filter(({ schemaPath }) => !schemaPath.startsWith(anyOf.schemaPath))
  if (index !== -1)
    return [...others, ...errors.filter(({ schemaPath }) => schemaPath.startsWith(`${anyOf.schemaPath}/${index}/`))]
  return [
    ...others,
    { ...anyOf, keyword: 'enum', instancePath: `${anyOf.instancePath}/${name}`, params: { allowedValues: choices } },
  ]
}

function messageOf({ keyword, params, message = '' }: ErrorObject): string {
  if (keyword === 'const') return `must be ${quoted(params.allowedValue)}`
  return keyword === 'enum' ? `must be one of ${(params.allowedValues as unknown[]).map(quoted).join(', ')}` : message
}

const quoted = (value: unknown): string => `\`${String(value)}\``
