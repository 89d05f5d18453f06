import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const directory = join(import.meta.dirname, 'migrations')

test.each(readdirSync(directory))('the released migration file %s imports no code that may still change', (file) => {
  const source = readFileSync(join(directory, file), 'utf8')
  const imports = Array.from(source.matchAll(/ from '([^']+)'/g), ([, path]) => path)
  expect(imports.filter((path) => !/^kysely$|^\.\/[a-z-]+\.ts$/.test(path ?? ''))).toEqual([])
})
