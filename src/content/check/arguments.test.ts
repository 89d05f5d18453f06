import { expect, it } from 'vitest'
import { checkArguments } from './arguments.ts'
import { parseMessage } from './icu.ts'

const check = (text: string, source: string, locale: string) =>
  checkArguments(parseMessage(text), parseMessage(source), locale)

const source = '{count, plural, one {# mail} other {# mails}} for {name}'

it('takes the arguments of the source in any order', () => {
  expect(check('{name}: {count, plural, one {# Mail} other {# Mails}}', source, 'de-DE')).toEqual([])
})

it('names arguments that are missing, spare or of another type', () => {
  expect(check('{count, plural, one {#} other {#}}', source, 'de-DE')).toEqual(['lacks the argument {name} argument'])
  expect(check('{count, plural, one {#} other {#}} {name} {x}', source, 'de-DE')).toEqual([
    'has the argument {x} argument, which the source has not',
  ])
  expect(check('{count} {name}', source, 'de-DE')).toContain('lacks the argument {count} plural')
})

it('wants the plural categories of the language', () => {
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

it('lets the category for millions be there or not', () => {
  expect(check('{count, plural, one {#} other {#}} {name}', source, 'es-ES')).toEqual([])
  expect(check('{count, plural, one {#} many {#} other {#}} {name}', source, 'es-ES')).toEqual([])
})

it('wants the branches for exact numbers that the source has', () => {
  const exact = '{n, plural, =0 {} one {#} other {#}}'
  expect(check('{n, plural, one {#} other {#}}', exact, 'de-DE')).toEqual(['{n}: lacks the branch =0'])
  expect(check('{n, plural, =0 {} =1 {a} one {#} other {#}}', exact, 'de-DE')).toEqual([
    '{n}: the language has no branch =1',
  ])
})
