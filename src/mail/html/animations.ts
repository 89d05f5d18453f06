import type { CssNode } from './css-syntax.ts'

/** By the names of animations: what shows an element, as `--mail-opacity:1`. Those that show nothing are left out. */
export type Motions = Map<string, Motion>

interface Motion {
  /** What the last keyframe sets. */
  last: Values
  /** The most visible of what any of them sets. */
  most: Values
}

/** By property. */
type Values = Map<string, string>

const KEYFRAMES = /^@(?:-webkit-|-moz-|-o-)?keyframes\s+(?:"([^"]*)"|'([^']*)'|([\w-]+))$/i
const LAST = /(?:^|,)\s*(?:to|100%)\s*(?:,|$)/i
const SETS = /^(opacity|visibility|transform)\s*:([^!;]*)$/i
/** A declaration that starts an animation. */
const ANIMATES = /^(?:-\w+-)?animation(?:-name)?\s*:(?!\s*(?:none|initial|unset)\b)/i
/** Any declaration about animations. */
const ANIMATION = /^(?:-\w+-)?animation(?:-\w+)*\s*:/i
const ZERO_SCALE = String.raw`scale(?:[xy]|3d)?\(\s*(?:0+(?:\.0*)?|\.0+)\s*[,)]`
const SCALED_TO_ZERO = new RegExp(`^${ZERO_SCALE}`, 'i')
/** A declaration that hides: its property and value. */
const HIDES = new RegExp(
  String.raw`^(opacity|visibility|transform)\s*:\s*((?:(?:0+(?:\.0*)?|\.0+)%?|hidden|collapse)\s*|${ZERO_SCALE}[^!;]*)(!|$)`,
  'i',
)
const WORD = /"[^"]*"|'[^']*'|[\w-]+/g

/** Takes from each element what its parent has, and from a pseudo-element what its element has. */
export const RESET = '*,::before,::after{--mail-opacity:initial;--mail-visibility:initial;--mail-transform:initial}'

/** Returns a value of these properties that shows an element, or undefined if the written one does not. */
function shownBy(property: string, value: string): string | undefined {
  if (property === 'visibility') return value.toLowerCase() === 'visible' ? 'visible' : undefined
  // Undoes only the hiding. The position is that of the element's other rules.
  if (property === 'transform') return SCALED_TO_ZERO.test(value) ? undefined : 'none'
  const opacity = Number.parseFloat(value) / (value.endsWith('%') ? 100 : 1)
  return opacity > 0 ? String(Math.min(opacity, 1)) : undefined
}

/** Adds the keyframes of a style sheet. Later ones replace those of the same name. */
export function addMotions(nodes: readonly CssNode[], motions: Motions): void {
  for (const node of nodes) {
    if (!('nodes' in node)) continue
    const [, double, single, bare] = KEYFRAMES.exec(node.prelude) ?? []
    const name = double ?? single ?? bare
    if (name === undefined) {
      addMotions(node.nodes, motions)
      continue
    }
    const motion = motionOf(node.nodes)
    if (motion.most.size > 0) motions.set(name, motion)
    else motions.delete(name)
  }
}

function motionOf(keyframes: readonly CssNode[]): Motion {
  const motion: Motion = { last: new Map(), most: new Map() }
  for (const keyframe of keyframes) {
    if (!('nodes' in keyframe)) continue
    const isLast = LAST.test(keyframe.prelude)
    for (const node of keyframe.nodes) {
      const [, name = '', written = ''] = ('declaration' in node && SETS.exec(node.declaration)) || []
      const property = name.toLowerCase()
      if (property === '') continue
      const value = shownBy(property, written.trim())
      if (isLast) motion.last.delete(property)
      if (value === undefined) continue
      if (isLast) motion.last.set(property, value)
      if (!(Number(motion.most.get(property)) >= Number(value))) motion.most.set(property, value)
    }
  }
  return motion
}

/**
 * Returns the declarations of a rule without what hides content until it is animated, because animations are removed. An
 * animation in one rule shows what another one hides: the first sets a variable, which the second takes. So only what nobody
 * could ever see changes.
 */
export function animated(nodes: readonly CssNode[], motions: Motions): readonly CssNode[] {
  const hides = (node: CssNode): RegExpExecArray | null => ('declaration' in node ? HIDES.exec(node.declaration) : null)
  const isAnimated = nodes.some((node) => 'declaration' in node && ANIMATES.test(node.declaration))
  if (!isAnimated) return motions.size === 0 ? nodes : nodes.map((node) => unlessShown(node, hides(node)))
  const shown = nodes.filter((node) => !hides(node))
  if (motions.size === 0) return shown
  const words = shown.flatMap((node) =>
    'declaration' in node && ANIMATION.test(node.declaration) ? (node.declaration.match(WORD) ?? []) : [],
  )
  const shows = words.some((word) => word.toLowerCase() === 'infinite') ? 'most' : 'last'
  const values: Values = new Map()
  for (const word of words)
    for (const [property, value] of motions.get(word.replace(/^["']|["']$/g, ''))?.[shows] ?? [])
      values.set(property, value)
  return [...shown, ...Array.from(values, ([property, value]) => ({ declaration: `--mail-${property}:${value}` }))]
}

/** Important declarations also win over animations. */
function unlessShown(node: CssNode, hides: RegExpExecArray | null): CssNode {
  const [, property = '', value = '', important] = hides ?? []
  return hides && !important ? { declaration: `${property}:var(--mail-${property.toLowerCase()},${value})` } : node
}
