import type { Block } from './blocks.ts'
import { excerpt } from './finding.ts'

/** The blocks of the source in its order, and in each the same links, code and number of words in bold; nothing that isn't Markdown. */
export function checkStructure(blocks: Block[], source: Block[]): string[] {
  const at = source.findIndex((block, i) => block.kind !== blocks[i]?.kind)
  const broken = at < 0 && blocks.length > source.length ? source.length : at
  if (broken >= 0) {
    const [own, wanted] = [blocks[broken], source[broken]]
    return [`block ${broken + 1} is ${describe(own)} where the source has ${describe(wanted)}`]
  }
  return blocks.flatMap((block, i) => {
    const wanted = source[i]
    return wanted ? checkBlock(block, wanted).map((fault) => `${fault} in "${excerpt(block.text)}"`) : []
  })
}

/** What no text of the site may have, whatever the source has. */
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

function checkBlock(own: Block, wanted: Block): string[] {
  return [
    ...same('the links', own.links, wanted.links),
    ...same('the code', own.codes, wanted.codes),
    ...same('the number of words in bold', [String(own.bolds)], [String(wanted.bolds)]),
    ...(own.fence === wanted.fence ? [] : ['has another text in its fence']),
  ]
}

function same(name: string, own: string[], wanted: string[]): string[] {
  const [left, right] = [own, wanted].map((list) => list.toSorted().join(' '))
  return left === right ? [] : [`${name} should be ${right || 'none'}, not ${left || 'none'},`]
}
