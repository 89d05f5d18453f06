import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const FIRST = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
/** Without `d` and `D`: ad blockers may hide elements of a class `ad`. */
const SECOND = `${FIRST.replace(/d/gi, '')}0123456789`

/**
 * Returns a function that names the classes and animations of the CSS modules in a folder with two characters each. Hashes,
 * which don't compress, would cost more than a byte in ten of all styles. Server and browser are
 * built separately and need the same names, so these follow the sorted list of files, not the order of the build.
 */
export function shortNames(root: string): (name: string, file: string) => string {
  const keys = globSync('**/*.module.css', { cwd: root })
    .toSorted()
    .flatMap((path) => namesIn(readFileSync(join(root, path), 'utf8')).map((name) => `${path} ${name}`))
  if (keys.length > FIRST.length * SECOND.length) throw new Error('Two characters are not enough for the CSS classes')
  const numbers = new Map(keys.map((key, number) => [key, number]))
  return (name, file) => {
    const number = numbers.get(`${relative(root, file)} ${name}`)
    if (number === undefined) throw new Error(`${file} has no class or animation ${name}`)
    return `${FIRST[Math.floor(number / SECOND.length)]}${SECOND[number % SECOND.length]}`
  }
}

/** The classes and animations that a style sheet defines, in their order. */
function namesIn(css: string): string[] {
  // What stands before a block: selectors, or the name of an animation.
  const heads = css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g)
  const found = [...heads].flatMap(([, head = '']) => [...head.matchAll(/(?:\.|@keyframes )([a-z][\w-]*)/gi)])
  return [...new Set(found.map(([, name = '']) => name))]
}
