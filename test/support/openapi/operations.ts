import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'

interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

interface Content {
  content?: Record<string, { schema: Schema }>
}

interface Parameter {
  name: string
  in: 'path' | 'query'
  schema: Schema
}

export interface Operation {
  id: string
  method: string
  path: string
  parameters: Parameter[]
  body: { required: boolean; type: string; schema: Schema } | undefined
  responses: Record<string, Content>
}

/** The document of a running program. */
export interface Document {
  operations: Operation[]
  /** Texts for parameters, such as ids, by name; any other is random. */
  request(operation: Operation, known: Record<string, readonly string[]>): fc.Arbitrary<GeneratedRequest>
  /** Returns what is wrong with a response, or undefined. */
  fault(operation: Operation, response: Response): Promise<string | undefined>
}

export interface GeneratedRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: string | undefined
}

export async function readDocument(url: string): Promise<Document> {
  const document: any = await (await fetch(`${url}/api/v1/openapi.json`)).json()
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)))
  ajv.addFormat('binary', true)
  ajv.addSchema(document, 'document')
  const validators = new Map<string, ValidateFunction>()
  const validator = (schema: Schema): ValidateFunction => {
    const key = JSON.stringify(schema)
    const found = validators.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/', '"document#/')))
    validators.set(key, found)
    return found
  }
  const resolve = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : document.components.schemas[$ref.split('/').at(-1) ?? '']

  const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(
      ([method, { operationId, parameters = [], requestBody, responses }]): Operation => {
        const [type = '', content] = Object.entries<any>(requestBody?.content ?? {})[0] ?? []
        return {
          id: operationId,
          method: method.toUpperCase(),
          path,
          parameters,
          body: requestBody && { required: requestBody.required, type, schema: content.schema ?? {} },
          responses,
        }
      },
    ),
  )

  /** Mostly a value that the schema allows. */
  function value(schema: Schema, name: string, known: Record<string, readonly string[]>): fc.Arbitrary<unknown> {
    const { type, enum: values, const: only, anyOf, properties, required = [], items, ...limits } = resolve(schema)
    // Longer waits have tests of their own.
    if (name === 'wait') return fc.constantFrom('0', '0', '0', '-1', '61', '1.0', 'x')
    if (values) return fc.constantFrom(...values)
    if (only !== undefined) return fc.constant(only)
    if (anyOf) return fc.oneof(...anyOf.map((each) => value(each, name, known)))
    if (type === 'boolean') return fc.boolean()
    if (type === 'null') return fc.constant(null)
    if (type === 'integer' || type === 'number')
      return fc.integer({ min: (limits.minimum ?? 0) - 1, max: Math.min(limits.maximum ?? 100, 1000) + 1 })
    if (type === 'array') return fc.array(value(items ?? {}, name, known), { maxLength: (limits.maxItems ?? 3) % 5 })
    if (type === 'object') {
      const fields = Object.entries(properties ?? {}).map(([key, each]) => [key, value(each, key, known)] as const)
      return fc.record(Object.fromEntries(fields), { requiredKeys: required })
    }
    const texts = [fc.string({ maxLength: Math.min(limits.maxLength ?? 40, 300) }), fc.string({ unit: 'grapheme' })]
    if (limits.format === 'date-time') texts.push(fc.constant('2026-01-01T00:00:00Z'))
    const choices = known[name] ?? []
    return choices.length > 0
      ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...choices) }, ...texts)
      : fc.oneof(...texts)
  }

  function body(operation: Operation, known: Record<string, readonly string[]>): fc.Arbitrary<string | undefined> {
    if (!operation.body) return fc.option(fc.constantFrom('', '{}', '{'), { freq: 8, nil: undefined })
    return fc.oneof(
      { weight: 6, arbitrary: value(operation.body.schema, '', known).map((each) => JSON.stringify(each)) },
      { weight: 2, arbitrary: fc.json() },
      { weight: 1, arbitrary: fc.constantFrom(undefined, '', ' ', '{', 'null', '"\\ud800"', '{"__proto__":1}') },
    )
  }

  /** URLs may not have a segment of dots, nor an empty one. */
  const dotless = (segment: string): string => (/^\.*$/.test(segment) ? '-' : segment)
  const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

  return {
    operations,

    request: (operation, known) =>
      fc
        .record({
          parameters: fc.tuple(
            ...operation.parameters.map(({ name, schema, in: place }) =>
              place === 'path'
                ? value(schema, name, known)
                : fc.option(fc.oneof({ weight: 5, arbitrary: value(schema, name, known) }, fc.string()), { freq: 2 }),
            ),
          ),
          unknown: fc.oneof({ weight: 19, arbitrary: fc.constant(null) }, fc.constantFrom('Wait=1', 'x=', '%zz', '&&')),
          body: operation.method === 'GET' ? fc.constant(undefined) : body(operation, known),
          type: fc.oneof(
            { weight: 9, arbitrary: fc.constant(operation.body?.type ?? 'application/json') },
            fc.constantFrom('text/plain', 'application/octet-stream', 'x'),
          ),
        })
        .map(({ parameters, unknown, body: text, type }) => {
          const query: string[] = []
          let path = operation.path
          operation.parameters.forEach(({ name, in: place }, at) => {
            const given = parameters[at]
            if (given === null || given === undefined) return
            const each = [given].flat().map((one) => encoded(String(one)))
            if (place === 'path') path = path.replace(`{${name}}`, dotless(each.join()))
            else query.push(...each.map((one) => `${name}=${one}`))
          })
          if (unknown !== null) query.push(unknown)
          return {
            url: url + path + (query.length > 0 ? `?${query.join('&')}` : ''),
            method: operation.method,
            headers: text === undefined ? {} : { 'content-type': type },
            body: text,
          }
        }),

    async fault({ responses }, response) {
      const { status } = response
      const documented = responses[status]
      if (status >= 500) return `the status ${status}`
      if (!documented) return `the status ${status} is not documented`
      const type = response.headers.get('content-type')?.split(';', 1)[0] ?? ''
      const types = documented.content ?? {}
      if (type === 'text/event-stream' && type in types) return undefined
      const text = await response.text()
      if (Object.keys(types).length === 0) return text === '' ? undefined : 'a body where none is documented'
      const content = types[type] ?? types['*/*']
      if (!content) return `the content type ${type} is not documented for ${status}`
      if (!type.endsWith('json')) return undefined
      const validate = validator(content.schema)
      return validate(JSON.parse(text)) ? undefined : `${ajv.errorsText(validate.errors)} in ${text.slice(0, 300)}`
    },
  }
}
