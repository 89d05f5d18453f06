import { afterEach, expect, test, vi } from 'vitest'
import { saveFile } from './save-file.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test.each([
  ['a.txt', 'a.txt'],
  ['con.txt', '_con.txt'],
  ['cod\u202Egpj.exe', 'cod_gpj.exe'],
  ['a/b: c.eml', 'a_b_ c.eml'],
  [`${'x'.repeat(1000)}.zip`, `${'x'.repeat(196)}.zip`],
])('%j of a message is saved as %j', (name, saved) => {
  vi.useFakeTimers()
  const link = { href: '', download: '', click: vi.fn() }
  vi.stubGlobal('document', { createElement: () => link })
  saveFile(name, 'content')
  expect(link.download).toBe(saved)
  expect(link.click).toHaveBeenCalledOnce()
  vi.runAllTimers()
})
