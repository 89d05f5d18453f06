import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { faults } from '#contract/faults.ts'
import { lazyValidators } from './compilers.ts'

/** Returns what is wrong with data, as Fastify puts it into the detail of a problem. */
function wrong(schema: object, data: unknown, httpPart = 'body'): string[] {
  const validate = lazyValidators([])({ schema, httpPart, method: 'PUT', url: '/' } as never) as (data: unknown) => any
  const { error = [] } = validate(data)
  return error.map(({ instancePath, message }: any) => `${instancePath} ${message}`)
}

test('a wrong choice names the choices', () => {
  const schema = Type.Object({ links: Type.Optional(Type.Enum(['list', 'check', 'check-all'])) })
  const choices = ['/links must be one of `list`, `check`, `check-all`']
  expect(wrong(schema, { links: 'true' }, 'querystring')).toEqual(choices)
  expect(wrong(schema, { links: 'true' })).toEqual(choices)
  const numbers = Type.Object({ years: Type.Enum([1, 2]), only: Type.Literal(true) })
  expect(wrong(numbers, { years: 3, only: true })).toEqual(['/years must be one of `1`, `2`'])
  expect(wrong(numbers, { years: 1, only: false })).toEqual(['/only must be `true`'])
})

test.each([
  [{}, ['/rules/0/action must be one of `reject`, `delay`, `close`, `limit`']],
  [{ at: 'rcpt', action: 'refuse' }, ['/rules/0/action must be one of `reject`, `delay`, `close`, `limit`']],
  [{ at: 'rcpt', action: 'delay' }, ["/rules/0 must have required property 'seconds'"]],
  [{ at: 'rcpt', action: 'delay', seconds: 'a' }, ['/rules/0/seconds must be integer']],
  [{ at: 'mail', action: 'close' }, ['/rules/0/at must be one of `rcpt`, `data`']],
  [{ at: 'data', action: 'close', seconds: 1 }, ['/rules/0 must NOT have additional properties']],
  [7, ['/rules/0 must be object']],
])('the rule %j is explained as its action demands', (rule, errors) =>
  expect(wrong(faults, { rules: [rule] })).toEqual(errors),
)

test('alternatives without a choice say each error once', () => {
  const schema = Type.Object({
    to: Type.Union([Type.Object({ a: Type.String() }), Type.Object({ a: Type.String(), b: Type.Null() })]),
  })
  expect(wrong(schema, { to: {} })).toEqual(["/to must have required property 'a'"])
  expect(wrong(schema, { to: { a: 1, b: null } })).toEqual(['/to/a must be string'])
  expect(wrong(Type.Object({ to: Type.Union([Type.String(), Type.Null()]) }), { to: 1 })).toEqual([
    '/to must be string',
    '/to must be null',
  ])
})
