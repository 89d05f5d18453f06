import type { Block } from './blocks.ts'
import { excerpt } from './finding.ts'

/**
 * Compares the blocks with those of the source: order and kind, and in each block links, code and the number of bold
 * passages.
 */
export function checkStructure(blocks: Block[], source: Block[]): string[] {
  const at = source.findIndex((block, i) => block.kind !== blocks[i]?.kind)
  const mismatch = at < 0 && blocks.length > source.length ? source.length : at
  if (mismatch >= 0) {
    const [own, expected] = [blocks[mismatch], source[mismatch]]
    return [`block ${mismatch + 1} is ${describe(own)} where the source has ${describe(expected)}`]
  }
  return blocks.flatMap((block, i) => {
    const expected = source[i]
    return expected ? checkBlock(block, expected).map((fault) => `${fault} in "${excerpt(block.text)}"`) : []
  })
}

/** Finds markup that no text of the site may have, regardless of the source. */
export function checkMarkup(blocks: Block[]): string[] {
  return blocks.flatMap(({ kind, text }) => [
    ...(kind === 'h1' ? [`has a heading of the first level: ${text}`] : []),
    ...(kind === 'html' || /<\/?[a-z]/i.test(text) ? [`has HTML in it: ${excerpt(text)}`] : []),
    ...(/\*\*|__|\]\(|`|^\s*#|^\*|\*$/.test(text)
      ? [`has marks that are not Markdown in "${excerpt(text, text.search(/\*|__|\]\(|`|#/))}"`]
      : []),
  ])
}

const describe = (block?: Block): string => (block ? `${block.kind} "${excerpt(block.text)}"` : 'nothing')

function checkBlock(own: Block, expected: Block): string[] {
  return [
    ...same('the links', own.links, expected.links),
    ...same('the code', own.codes, expected.codes),
    ...same('the number of words in bold', [String(own.bolds)], [String(expected.bolds)]),
    ...(own.fence === expected.fence ? [] : ['has different code in its fence']),
  ]
}

function same(name: string, own: string[], expected: string[]): string[] {
  const [left, right] = [own, expected].map((list) => list.toSorted().join(' '))
  return left === right ? [] : [`${name} should be ${right || 'none'}, not ${left || 'none'},`]
}
