import { expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { fallbackSummary, HEAD_BYTES, plainHeaders } from './fallback.ts'

const headersOf = (head: string) => plainHeaders(Buffer.from(`${head}\r\n\r\nbody`))

test('only spaces and tabs may follow the name of a header', () =>
  expect(headersOf('From \t: a\r\nTo\u00A0: b\r\nA  b: c')).toEqual([
    { name: 'From', value: 'a' },
    { name: 'To\u00A0', value: 'b' },
    { name: 'A  b', value: 'c' },
  ]))

test('a header of nothing but spaces is read in linear time', () =>
  expect(cpuTime(() => headersOf(`a${' '.repeat(HEAD_BYTES - 10)}b: x`))).toBeLessThan(500))

test.each([
  ['as long as it may be', 'a'.repeat(8192 - ' <a@b.example>'.length), 'a@b.example'],
  ['longer than that', 'a'.repeat(8192 - ' <a@b.example>'.length + 1), ''],
])('a From header %s', (_what, name, address) =>
  expect(fallbackSummary(Buffer.from(`From: ${name} <a@b.example>\r\n\r\n`), { recipient: 'x' }).from.address).toBe(
    address,
  ),
)

test('a From header of 60 KB takes no time', () => {
  const raw = Buffer.from(`From: ${':'.repeat(60_000)}\r\n\r\nbody`)
  const read = (): void => {
    for (let i = 0; i < 20; i++) fallbackSummary(raw, { recipient: 'x' })
  }
  expect(cpuTime(read)).toBeLessThan(500)
})
