import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Part, partOf } from '#locales/parts.ts'
import en from '../../../locales/en.json' with { type: 'json' }
import type { View } from '../app/view.ts'
import { partsOf } from './messages.ts'

const PAGES = join(import.meta.dirname, '../pages')
/** Loaded when the list is opened. */
const ON_DEMAND: Record<string, readonly Part[]> = { deliveries: ['deliveries'], push: ['apps'] }

/** A text that its page does not load is shown as nothing, without an error. */
test('pages use texts of the parts that they load', () => {
  const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  )
  expect(files.length).toBeGreaterThan(100)
  const missing = files.flatMap((file) => {
    const [page = ''] = file.split('/')
    const parts = new Set<Part | null>([...partsOf(page as View), ...(ON_DEMAND[page] ?? [])])
    const keys = [...readFileSync(join(PAGES, file), 'utf8').matchAll(/'([a-z]\w*\.[\w.]+)'/gi)].map(
      ([, key = '']) => key,
    )
    return keys.filter((key) => key in en && !parts.has(partOf(key))).map((key) => `${file}: ${key}`)
  })
  expect(missing).toEqual([])
})
