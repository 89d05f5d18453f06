import { expect, test } from 'vitest'
import { toHtml } from './markdown.ts'

const TABLE = '| What | How long |\n| --- | --- |\n| `key` | **never** |\n'

test('a table scrolls, and has the name of the heading before it', () => {
  const html = toHtml(`## Data\n\n${TABLE}`, { lang: 'en', ids: ['data'] })
  expect(html).toContain('<div data-table tabindex="0" role="region" aria-labelledby="data"><table role="table">')
})

test('the parts of a table keep their roles however they are displayed', () => {
  const html = toHtml('| | Kept | Read by |\n| --- | --- | ---: |\n| `key` | **never** | us |\n', { lang: 'en' })
  expect(html.replaceAll('\n', '')).toContain(
    '<table role="table"><thead role="rowgroup"><tr role="row"><td role="cell"></td>' +
      '<th role="columnheader" scope="col">Kept</th><th role="columnheader" scope="col" align="right">Read by</th></tr>' +
      '</thead><tbody role="rowgroup"><tr role="row">' +
      '<th role="rowheader" scope="row"><code dir="ltr" translate="no">key</code></th>' +
      '<td role="cell" data-label="Kept"><strong>never</strong></td>' +
      '<td role="cell" align="right" data-label="Read by">us</td></tr></tbody></table>',
  )
})

test.each([
  ['**How** long', 'How long'],
  ['[How *long*](/terms)', 'How long'],
  ['The `key`', 'The key'],
  ['$& and $\' & "more"', '$&amp; and $&#39; &amp; &quot;more&quot;'],
])('the label of the column %s is its words', (header, label) =>
  expect(toHtml(`| What | ${header} |\n| --- | --- |\n| a | b |\n`, { lang: 'en' })).toContain(
    `<td role="cell" data-label="${label}">b</td>`,
  ),
)

test('a table without a heading has no name', () =>
  expect(toHtml(TABLE, { lang: 'en' })).toContain('<div data-table tabindex="0"><table role="table">'))

test('links within the site get the prefix of the language', () =>
  expect(toHtml('[a](/terms) [b](/api/v1) [c](https://x.example/)', { lang: 'de' })).toContain(
    '<a href="/de/terms">a</a> <a href="/api/v1">b</a> <a href="https://x.example/">c</a>',
  ))
