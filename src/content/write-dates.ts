import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Writes content/dates.json: when the text of each page was last changed in any language, by the history of the
// repository. A copy of the program has no history. The dates of articles are in their front matter.
const root = join(import.meta.dirname, '../..')
const lastChange = (slug: string): string =>
  execFileSync('git', ['log', '-1', '--format=%cs', '--', `content/pages/${slug}`], {
    cwd: root,
    encoding: 'utf8',
  }).trim()
const dates = Object.fromEntries(
  readdirSync(join(root, 'content/pages'))
    .toSorted()
    .map((slug) => [slug, lastChange(slug)]),
)
writeFileSync(join(root, 'content/dates.json'), `${JSON.stringify(dates, null, 2)}\n`)
