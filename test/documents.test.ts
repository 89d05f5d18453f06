import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { limits, settings } from '#config/load.ts'
import { PREFIX } from '#config/table.ts'

const root = join(import.meta.dirname, '..')
const documents = globSync(['*.md', 'bench/*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root })
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchors = (path: string): string[] =>
  [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

function isBroken(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? document : relative(root, join(root, dirname(document), path))
  return !existsSync(join(root, target)) || (anchor !== undefined && !anchors(target).includes(anchor))
}

describe.each(documents)('%s', (document) => {
  test('has no broken links', () => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => isBroken(document, link))).toEqual([])
  })

  test('names only paths that exist', () => {
    const paths = [...textOf(document).matchAll(/`((?:bench|deploy|docs|locales|src|test)\/[\w./-]+)`/g)]
    expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  // The changelog names removed settings.
  test.skipIf(document === 'CHANGELOG.md')('names only settings and limits that exist', () => {
    const known = new Set<string>([...settings, ...limits].map(({ key }) => PREFIX + key))
    const named = textOf(document).match(/\bMAYFLY_[A-Z0-9_]*[A-Z0-9]/g) ?? []
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })
})
