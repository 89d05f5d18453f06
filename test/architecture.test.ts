import { spawnSync } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  copyFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { MAY_IMPORT } from '../oxlint.config.ts'

const root = join(import.meta.dirname, '..')
const fixture = mkdtempSync(join(tmpdir(), 'mayfly-fixture-'))
symlinkSync(join(root, 'node_modules'), join(fixture, 'node_modules'))
copyFileSync(join(root, 'oxlint.config.ts'), join(fixture, 'oxlint.config.ts'))
afterAll(() => rmSync(fixture, { recursive: true }))
afterEach(() => rmSync(join(fixture, 'src'), { recursive: true, force: true }))

/** Creates files in an empty project with the same rules and returns the linter's output. */
function plant(files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(fixture, path)), { recursive: true })
    writeFileSync(join(fixture, path), text)
  }
  const { stdout, status } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['-f', 'unix', 'src'], {
    cwd: fixture,
    encoding: 'utf8',
  })
  expect([0, 1]).toContain(status)
  return stdout
}

describe('the import table is enforced', () => {
  const folders = Object.keys(MAY_IMPORT)

  const importOf = (folder: string, other: string): string => `src/${folder}/from-${other.replace('/', '-')}.ts`

  test('folders may import the folders of the table and no others', () => {
    const pairs = folders.flatMap((folder) =>
      folders.filter((other) => other !== folder).map((other) => ({ folder, other })),
    )
    const output = plant(
      Object.fromEntries(
        pairs.map(({ folder, other }) => [
          importOf(folder, other),
          `import { thing } from '#${other}/index.ts'\n\nexport const it = thing\n`,
        ]),
      ),
    )
    const imported = pairs.filter(({ folder, other }) => !output.includes(importOf(folder, other)))
    const allowed = (folder: string): string[] =>
      imported.filter((pair) => pair.folder === folder).map(({ other }) => other)
    expect(Object.fromEntries(folders.map((folder) => [folder, allowed(folder).toSorted()]))).toEqual(
      Object.fromEntries(folders.map((folder) => [folder, MAY_IMPORT[folder]?.toSorted()])),
    )
  })

  test('rejects other imports', () => {
    const forbidden = {
      'a sibling folder by a relative path': '../store/a.ts',
      'its own folder by its # name': '#mail/a.ts',
      'the start of the program': '../main.ts',
      'the composition': '#composition/app.ts',
      'a file inside of a feature': '#features/mailbox/addresses.ts',
      'the tests': '#test/a.ts',
      "another folder's package": 'fastify',
      "another folder's part of the runtime": 'node:sqlite',
    }
    const fileOf = (i: number): string => `src/mail/planted-${i}.ts`
    const output = plant(
      Object.fromEntries(
        Object.values(forbidden).map((path, i) => [fileOf(i), `import { a } from '${path}'\n\nexport const it = a\n`]),
      ),
    )
    const lines = output.split('\n').filter((line) => line.includes('no-restricted-imports'))
    const missed = Object.keys(forbidden).filter((_what, i) => !lines.some((line) => line.includes(fileOf(i))))
    expect(missed).toEqual([])
  })

  test('accepts what is allowed', () => {
    const output = plant({
      'src/mail/a/allowed.ts':
        "import { a } from '#core/a.ts'\nimport { b } from '../b.ts'\n\nexport const it = [a, b]\n",
      'src/mail/b.ts': "import { parse } from 'postcss'\n\nexport const b = parse\n",
    })
    expect(output).not.toContain('src/mail')
  })

  test('rejects import cycles', () => {
    const output = plant({
      'src/core/a.ts': "import { b } from './b.ts'\n\nexport const a = () => b\n",
      'src/core/b.ts': "import { a } from './a.ts'\n\nexport const b = () => a\n",
    })
    expect(output).toContain('no-cycle')
  })

  test('only the configuration reads the environment', () => {
    expect(plant({ 'src/http/port.ts': 'export const port = process.env.PORT\n' })).toContain('no-process-env')
  })
})

const ALL_IMPORTS = /(?:from|import)\s*\(?'([#.][^']+)'/g
/** Without types and what is imported on demand. */
const LOADED_AT_ONCE = /^(?:import|export) (?!type\b)[^']*?from '([#.][^']+)'/gm

/** Returns the path of an imported file. */
const targetOf = (file: string, specifier: string): string =>
  specifier.startsWith('#') ? `src/${specifier.slice(1)}` : join(dirname(file), specifier)

/** The files of src/ with the files that each one imports. */
function importGraph(imports = ALL_IMPORTS): Map<string, string[]> {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root })
  return new Map(
    files.map((file) => {
      const specifiers = readFileSync(join(root, file), 'utf8').matchAll(imports)
      const targets = Array.from(specifiers, ([, specifier = '']) => targetOf(file, specifier))
      return [file, targets]
    }),
  )
}

/** Returns one path per import cycle, depth first. */
function circlesIn(graph: Map<string, string[]>): string[] {
  const done = new Set<string>()
  const found: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) return void found.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (done.has(file)) return
    for (const target of graph.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return found
}

test('there are no import cycles, not even of types', () => {
  expect(
    circlesIn(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['a']],
        ['d', ['a']],
      ]),
    ),
  ).toEqual(['a -> b -> c -> a'])
  const graph = importGraph()
  expect(graph.get('src/main.ts')).toContain('src/composition/app.ts')
  expect(circlesIn(graph)).toEqual([])
})

test('the main thread loads neither the parser of mail nor the finder, which only its threads need', () => {
  const graph = importGraph(LOADED_AT_ONCE)
  const loaded = new Set(['src/composition/app.ts', 'src/composition/servers.ts', 'src/composition/operating.ts'])
  for (const file of loaded) for (const target of graph.get(file) ?? []) loaded.add(target)
  expect([...loaded]).toContain('src/mail/reader/thread.ts')
  expect([...loaded].filter((file) => /mail\/(?:reader\/(?:parse|summarize)|finder\/finder)\.ts/.test(file))).toEqual(
    [],
  )
})

/** The names or `*` that a file imports or passes on, and what is imported on demand, all of which counts as used. */
const IMPORTED = /\b(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?(\{[^}]*\}|\*[\s\w]*?)\s+from\s+'([#.][^']+)'/g
const ON_DEMAND = /\bimport\('([#.][^']+)'/g
const EXPORTED = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm
/** The build loads the entry of the server by its file name. */
const EXEMPT = 'src/web/entry.server.tsx'

/** Returns the exports of src/ that no other file imports. */
function unusedExports(texts: Map<string, string>): string[] {
  const used = new Set<string>()
  for (const [file, text] of texts) {
    for (const [, names = '', specifier = ''] of text.matchAll(IMPORTED))
      for (const [, name] of names.matchAll(/(?:^\{|^|,)\s*(?:type\s+)?(\*|\w+)/g))
        used.add(`${targetOf(file, specifier)} ${name}`)
    for (const [, specifier = ''] of text.matchAll(ON_DEMAND)) used.add(`${targetOf(file, specifier)} *`)
  }
  return [...texts]
    .filter(([file]) => file.startsWith('src/') && file !== EXEMPT && !used.has(`${file} *`))
    .flatMap(([file, text]) => Array.from(text.matchAll(EXPORTED), ([, name]) => `${file} ${name}`))
    .filter((name) => !used.has(name))
}

test('nothing is exported that no other file imports', () => {
  expect(
    unusedExports(
      new Map([
        [
          'src/core/a.ts',
          'export const a = 1\nexport interface B {}\nexport async function c() {}\nexport type D = 1\n',
        ],
        ['src/core/b.ts', "import { a,\n  type B as C } from './a.ts'\nexport const b = a\n"],
        ['src/core/c.ts', "export * from './b.ts'\n"],
        ['test/d.test.ts', "import x, { type D } from '#core/a.ts'\n"],
      ]),
    ),
  ).toEqual(['src/core/a.ts c'])
  const paths = globSync(['{src,test,bench,packages/*/src}/**/*.{ts,tsx,js}', '*.ts'], {
    cwd: root,
    exclude: (path) => path.endsWith('node_modules'),
  })
  const texts = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  expect(texts.size).toBeGreaterThan(1000)
  expect(unusedExports(texts)).toEqual([])
})

describe('the files', () => {
  const files = globSync('{src,test,bench,bin}/**/*.{ts,tsx,js,css}', {
    cwd: root,
    exclude: (path) => path.endsWith('node_modules'),
  }).map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }))

  test('none has more than 300 lines', () => {
    expect(files.length).toBeGreaterThan(150)
    expect(files.filter(({ lines }) => lines > 300)).toEqual([])
  })

  test('half of them have fewer than 100 lines', () => {
    const sorted = files.map(({ lines }) => lines).toSorted((a, b) => a - b)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(100)
  })
})
