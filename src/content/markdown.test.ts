import { expect, test } from 'vitest'
import { toHtml } from './markdown.ts'

const TABLE = '| What | How long |\n| --- | --- |\n| `key` | **never** |\n'

test('a table scrolls, and has the name of the heading before it', () => {
  const html = toHtml(`## Data\n\n${TABLE}`, { lang: 'en', ids: ['data'] })
  expect(html).toContain('<div data-table tabindex="0" role="region" aria-labelledby="data"><table>')
  expect(html).toContain(
    '<td><code dir="ltr" translate="no">key</code></td>\n<td data-label="How long"><strong>never</strong></td>',
  )
})

test('a table without a heading has no name', () =>
  expect(toHtml(TABLE, { lang: 'en' })).toContain('<div data-table tabindex="0"><table>'))

test('links within the site get the prefix of the language', () =>
  expect(toHtml('[a](/terms) [b](/api/v1) [c](https://x.example/)', { lang: 'de' })).toContain(
    '<a href="/de/terms">a</a> <a href="/api/v1">b</a> <a href="https://x.example/">c</a>',
  ))
