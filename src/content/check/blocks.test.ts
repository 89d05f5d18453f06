import { expect, it } from 'vitest'
import { blocksOf } from './blocks.ts'
import { PLACEHOLDER } from './passage.ts'

it('splits Markdown into blocks', () => {
  const blocks = blocksOf(
    '## Head\n\nWrite to **a.b@** or `x`, [there](/contact).\n\n1. one\n2. two\n\n```sh\ncurl\n```\n',
  )
  expect(blocks.map(({ kind }) => kind)).toEqual(['h2', 'p', 'ol 2', 'item', 'item', 'code sh'])
  expect(blocks[1]).toMatchObject({
    text: `Write to ${PLACEHOLDER} or ${PLACEHOLDER}, there.`,
    links: ['/contact'],
    codes: ['x'],
    bolds: 1,
  })
  expect(blocks[5]?.fence).toBe('curl')
})

it('splits a table into its cells', () => {
  const blocks = blocksOf('| What | **How long** |\n| --- | --- |\n| Mail | [a day](/terms) |\n| `key` | never |\n')
  expect(blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'table 2x2: ',
    'th: What',
    'th: How long',
    'td: Mail',
    'td: a day',
    `td: ${PLACEHOLDER}`,
    'td: never',
  ])
  expect(blocks[4]?.links).toEqual(['/terms'])
})
