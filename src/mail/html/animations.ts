import type { CssNode } from './css-syntax.ts'

type Declarations = Map<string, string>

/** What keyframes set, by property: in any of them, and in the last. */
interface Motion {
  any: Declarations
  last: Declarations
}

/** By the names of animations. */
export type Motions = Map<string, Motion>

const KEYFRAMES = /^@(?:-webkit-|-moz-|-o-)?keyframes\s+(?:"([^"]*)"|'([^']*)'|([\w-]+))$/i
const LAST = /(?:^|,)\s*(?:to|100%)\s*(?:,|$)/i
/** A longer value is ignored, because it is printed for each rule with the animation. */
const SETS = /^(opacity|visibility|transform)\s*:([^!;]{1,50})$/i
/** A declaration that starts an animation. */
const ANIMATES = /^(?:-\w+-)?animation(?:-name)?\s*:(?!\s*(?:none|initial|unset)\b)/i
/** One that says how. */
const ANIMATION = /^(?:-\w+-)?animation(?:-\w+)*\s*:/i
const HIDES = /^(?:opacity\s*:\s*0+(?:\.0*)?%?|opacity\s*:\s*\.0+%?|visibility\s*:\s*(?:hidden|collapse))\s*(?:!|$)/i
const WORD = /"[^"]*"|'[^']*'|[\w-]+/g

/** Whether a value of these properties shows an element. */
const shows = (property: string, value: string): boolean =>
  property === 'opacity' ? Number.parseFloat(value) > 0 : property !== 'visibility' || value.toLowerCase() === 'visible'

/** Adds the keyframes of a style sheet. Later ones replace those of the same name. */
export function addMotions(nodes: readonly CssNode[], motions: Motions): void {
  for (const node of nodes) {
    if (!('nodes' in node)) continue
    const [, double, single, bare] = KEYFRAMES.exec(node.prelude) ?? []
    const name = double ?? single ?? bare
    if (name === undefined) addMotions(node.nodes, motions)
    else motions.set(name, motionOf(node.nodes))
  }
}

function motionOf(keyframes: readonly CssNode[]): Motion {
  const motion: Motion = { any: new Map(), last: new Map() }
  for (const keyframe of keyframes) {
    if (!('nodes' in keyframe)) continue
    for (const node of keyframe.nodes) {
      const [, name = '', written = ''] = ('declaration' in node && SETS.exec(node.declaration)) || []
      const [property, value] = [name.toLowerCase(), written.trim()]
      if (property === '' || !shows(property, value)) continue
      motion.any.set(property, value)
      if (LAST.test(keyframe.prelude)) motion.last.set(property, value)
    }
  }
  return motion
}

/**
 * Returns the declarations of a rule without what hides content until it is animated, because animations are removed. Adds
 * what they show in the end: like them, it wins over other rules.
 */
export function animated(nodes: readonly CssNode[], motions: Motions): readonly CssNode[] {
  const has = (pattern: RegExp): boolean =>
    nodes.some((node) => 'declaration' in node && pattern.test(node.declaration))
  if (!has(ANIMATES)) return nodes
  const shown = nodes.filter((node) => !('declaration' in node && HIDES.test(node.declaration)))
  if (motions.size === 0) return shown
  const words = shown.flatMap((node) =>
    'declaration' in node && ANIMATION.test(node.declaration) ? (node.declaration.match(WORD) ?? []) : [],
  )
  const [stays, repeats] = [words.some((word) => /^(?:forwards|both)$/i.test(word)), words.includes('infinite')]
  const ends: Declarations = new Map()
  for (const word of words) {
    const motion = motions.get(word.replace(/^["']|["']$/g, ''))
    for (const [property, value] of (repeats ? motion?.any : motion?.last) ?? [])
      if (stays || property !== 'transform') ends.set(property, value)
  }
  return [...shown, ...Array.from(ends, ([property, value]) => ({ declaration: `${property}:${value}!important` }))]
}
