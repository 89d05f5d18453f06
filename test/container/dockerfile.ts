/** One step of a Dockerfile, its name in upper case. */
interface Step {
  name: string
  rest: string
}

export interface Stage {
  /** The name after `AS`. */
  name: string | undefined
  base: string
  steps: Step[]
}

interface Copy {
  /** The stage that it copies from; undefined for the build context. */
  from: string | undefined
  sources: string[]
  target: string
}

/** Parses a Dockerfile: drops comments, joins continued lines (https://docs.docker.com/reference/dockerfile/). */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\s*\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const stages: Stage[] = []
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/s.exec(line) ?? []
    const step = { name: name.toUpperCase(), rest }
    if (step.name === 'FROM') {
      const [, base = '', as] = /^(?:--\S+\s+)*(\S+)(?:\s+as\s+(\S+))?$/i.exec(rest) ?? []
      stages.push({ name: as, base, steps: [] })
    } else if (stages.length > 0) stages.at(-1)!.steps.push(step)
    else if (step.name !== 'ARG') throw new Error(`${step.name} before the first FROM`)
  }
  return stages
}

export function parseCopy(rest: string): Copy {
  const words = rest.startsWith('[') ? (JSON.parse(rest) as string[]) : rest.split(/\s+/)
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const paths = words.filter((word) => !word.startsWith('--'))
  return { from, sources: paths.slice(0, -1), target: paths.at(-1)! }
}

/** Variables of `ENV NAME=value NAME="other value"`. */
export function parseEnv(rest: string): Record<string, string> {
  return Object.fromEntries(
    [...rest.matchAll(/(\w+)=("(?:[^"\\]|\\.)*"|\S*)/g)].map(([, name, value = '']) => [
      name,
      value.startsWith('"') ? value.slice(1, -1) : value,
    ]),
  )
}

/**
 * Whether `.dockerignore` excludes a path from the build context: the last pattern that matches the path or a folder
 * above it decides (https://docs.docker.com/build/concepts/context/#dockerignore-files).
 */
export function createIgnored(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const kept = line.startsWith('!')
      const pattern = (kept ? line.slice(1) : line).replace(/^\.?\/+/, '').replace(/\/+$/, '')
      return { kept, shape: toExpression(pattern) }
    })
  return (path) => {
    const parts = path.split('/')
    const above = parts.map((_, i) => parts.slice(0, i + 1).join('/'))
    return rules.reduce((ignored, { kept, shape }) => (above.some((each) => shape.test(each)) ? !kept : ignored), false)
  }
}

/** Go's `filepath.Match`, with `**` for any number of folders. */
function toExpression(pattern: string): RegExp {
  const source = pattern
    .split(/(\*\*\/|\*\*|\*|\?|\[[^\]]+\])/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?'
      if (part === '**') return '.*'
      if (part === '*') return '[^/]*'
      if (part === '?') return '[^/]'
      return part.startsWith('[') ? part : part.replaceAll(/[.+^${}()|\\]/g, String.raw`\$&`)
    })
    .join('')
  return new RegExp(`^${source}$`)
}
