import type { Compilable, CompiledQuery } from 'kysely'

class Parameter {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** Returns a placeholder for the value with this name. */
export type ValuesOf<Values> = <Name extends keyof Values>(name: Name) => Values[Name]

/**
 * Compiles a query once for many runs, because building it costs more than running it. `value(name)` is a placeholder
 * in the query; the returned function fills in the values.
 */
export function prepared<Values extends object>() {
  return <Row>(
    build: (value: ValuesOf<Values>) => Compilable<Row> | CompiledQuery<Row>,
  ): ((values: Values) => CompiledQuery<Row>) => {
    const built = build((name) => new Parameter(name) as never)
    const compiled = 'compile' in built ? built.compile() : built
    const slots = compiled.parameters
    return (values) => ({
      ...compiled,
      parameters: slots.map((slot) => (slot instanceof Parameter ? values[slot.name as keyof Values] : slot)),
    })
  }
}
