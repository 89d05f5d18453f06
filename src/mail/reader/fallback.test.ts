import { expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { HEAD_BYTES, plainHeaders } from './fallback.ts'

const headersOf = (head: string) => plainHeaders(Buffer.from(`${head}\r\n\r\nbody`))

test('only spaces and tabs may follow the name of a header', () =>
  expect(headersOf('From \t: a\r\nTo\u00A0: b\r\nA  b: c')).toEqual([
    { name: 'From', value: 'a' },
    { name: 'To\u00A0', value: 'b' },
    { name: 'A  b', value: 'c' },
  ]))

test('a header of nothing but spaces is read in linear time', () =>
  expect(cpuTime(() => headersOf(`a${' '.repeat(HEAD_BYTES - 10)}b: x`))).toBeLessThan(500))
