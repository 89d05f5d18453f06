import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { shortNames } from './class-names.ts'

const root = mkdtempSync(join(tmpdir(), 'class-names-'))
afterAll(() => rmSync(root, { recursive: true }))

writeFileSync(join(root, 'b.module.css'), '.row:has(.cell) { margin: .5rem } @keyframes rise { 50% { opacity: 0 } }')
writeFileSync(join(root, 'a.module.css'), Array.from({ length: 70 }, (_, i) => `.name-${i} { order: ${i} }`).join('\n'))

test('each class and animation has a name of two characters, never ad, the same in every build', () => {
  const all = [
    ...Array.from({ length: 70 }, (_, i) => ['a.module.css', `name-${i}`]),
    ...['rise', 'row', 'cell'].map((name) => ['b.module.css', name]),
  ]
  const named = (order: readonly (readonly string[])[]) => {
    const nameOf = shortNames(root)
    return new Map(order.map(([file = '', name = '']) => [`${file} ${name}`, nameOf(name, join(root, file))]))
  }
  const names = named(all)
  expect(new Set(names.values()).size).toBe(73)
  for (const name of names.values()) expect(name).toMatch(/^[a-z][a-ce-z\d]$/i)
  expect(named(all.toReversed())).toEqual(new Map([...names].toReversed()))
})

test('a class that no module defines is an error', () =>
  expect(() => shortNames(root)('gone', join(root, 'b.module.css'))).toThrow('has no class or animation gone'))
