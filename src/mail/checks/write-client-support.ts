import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Writes `client-support.json` from the data of caniemail.com in the npm package `caniemail`:
 *
 *     npm pack caniemail && tar -xzf caniemail-*.tgz
 *     npm run client-support -- package/data/caniemail.json
 *
 * The package is not a dependency: it depends on Babel and Prettier, and its data has ten times this size.
 */
interface Source {
  last_update_date: string
  nicenames: { family: Record<string, string>; platform: Record<string, string> }
  data: {
    slug: string
    title: string
    category: string
    stats: Record<string, Record<string, Record<string, string>>>
  }[]
}

/** Clients of which fewer features are known are left out. */
const MIN_FEATURES = 100
const CATEGORIES = new Set(['html', 'css', 'image'])

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('Name the caniemail.json of the npm package caniemail')
// The last version of a client is the newest one. Names that are numbers would be sorted, so each gets a letter.
const text = readFileSync(file, 'utf8').replaceAll(/"(\d[^"]*)":/g, '"v$1":')
const { data, nicenames, last_update_date: updated } = JSON.parse(text) as Source
const used = data.filter(({ category }) => CATEGORIES.has(category))

const counts = new Map<string, number>()
for (const { stats } of used)
  for (const [family, platforms] of Object.entries(stats))
    for (const platform of Object.keys(platforms)) {
      const key = `${family}/${platform}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
const clients = [...counts]
  .filter(([, count]) => count >= MIN_FEATURES)
  .map(([key]) => {
    const [family = '', platform = ''] = key.split('/')
    return { family, platform, name: `${nicenames.family[family]} (${nicenames.platform[platform]})` }
  })

/** One letter for each client: y, a (partly), n, or - if it is not known. */
const supportOf = (stats: Source['data'][number]['stats']): string =>
  clients
    .map(({ family, platform }) => Object.values(stats[family]?.[platform] ?? {}).at(-1)?.[0] ?? 'u')
    .map((letter) => (letter === 'u' ? '-' : letter))
    .join('')

/** Every message has them, and no sender can do without. */
const UNAVOIDABLE = new Set(['html-body', 'html-doctype'])

const features = Object.fromEntries(
  used
    .map(({ slug, title, stats }) => [slug, { title: title.trim(), support: supportOf(stats) }] as const)
    // A feature that all clients support is not an issue.
    .filter(([slug, { support }]) => /[an]/.test(support) && !UNAVOIDABLE.has(slug)),
)
const content = {
  source: 'https://www.caniemail.com',
  license: 'MIT, Copyright (c) Avi Goldman, Andrew Powell',
  updated: updated.slice(0, 10),
  clients,
  features,
}
writeFileSync(new URL('./client-support.json', import.meta.url), `${JSON.stringify(content, null, 2)}\n`)
