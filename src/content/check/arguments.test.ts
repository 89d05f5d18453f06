import { expect, it } from 'vitest'
import { checkArguments } from './arguments.ts'
import { parseMessage } from './icu.ts'

const check = (text: string, source: string, locale: string) =>
  checkArguments(parseMessage(text), parseMessage(source), locale)

const source = '{count, plural, one {# mail} other {# mails}} for {name}'

it('accepts the arguments of the source in any order', () => {
  expect(check('{name}: {count, plural, one {# Mail} other {# Mails}}', source, 'de-DE')).toEqual([])
})

it('finds missing and superfluous arguments and wrong types', () => {
  expect(check('{count, plural, one {#} other {#}}', source, 'de-DE')).toEqual(['lacks the argument {name} argument'])
  expect(check('{count, plural, one {#} other {#}} {name} {x}', source, 'de-DE')).toEqual([
    'has the argument {x} argument, which the source does not have',
  ])
  expect(check('{count} {name}', source, 'de-DE')).toContain('lacks the argument {count} number')
  expect(check('{count, number} {name}', source, 'de-DE')).toEqual([])
})

it('requires the plural categories of the language', () => {
  expect(check('{count, plural, one {#} other {#}} {name}', source, 'pl-PL')).toEqual([
    '{count}: lacks the branch many',
    '{count}: lacks the branch few',
  ])
  expect(check('{count, plural, one {#} few {#} many {#} other {#}} {name}', source, 'pl-PL')).toEqual([])
  expect(check('{count, plural, one {#} other {#}} {name}', source, 'ja-JP')).toEqual([
    '{count}: the language has no branch one',
  ])
  const arabic = '{count, plural, zero {#} one {#} two {#} few {#} many {#} other {#}} {name}'
  expect(check(arabic, source, 'ar-AR')).toEqual([])
})

it('accepts a message with or without the category for millions', () => {
  expect(check('{count, plural, one {#} other {#}} {name}', source, 'es-ES')).toEqual([])
  expect(check('{count, plural, one {#} many {#} other {#}} {name}', source, 'es-ES')).toEqual([])
})

it('requires the branches for exact numbers of the source', () => {
  const exact = '{n, plural, =0 {} one {#} other {#}}'
  expect(check('{n, plural, one {#} other {#}}', exact, 'de-DE')).toEqual(['{n}: lacks the branch =0'])
  expect(check('{n, plural, =0 {} =1 {a} one {#} other {#}}', exact, 'de-DE')).toEqual([
    '{n}: the language has no branch =1',
  ])
})

it('accepts a branch for one in a language without that category', () => {
  const single = '{n, plural, one {#} other {#}}'
  expect(check('{n, plural, =1 {#} other {#}}', single, 'ko-KR')).toEqual([])
  expect(check('{n, plural, =1 {a} one {#} other {#}}', single, 'de-DE')).toEqual([
    '{n}: the language has no branch =1',
  ])
})
