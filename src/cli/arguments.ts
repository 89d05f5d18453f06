import { parseArgs } from 'node:util'
import { UsageError } from './command.ts'

/** An id (22 characters of base64url) that begins with a hyphen. `randomId` makes none, but earlier builds did. */
const HYPHENATED_ID = /^-[\w-]{21}$/
/** Marks such an id as an argument. No argument can contain it. */
const MARK = '\0'

const unmarked = (text: string): string => (text.startsWith(MARK) ? text.slice(MARK.length) : text)

/** Like `parseArgs`, with arguments. An id that begins with a hyphen is an argument, not an option. */
export const parseWithIds: typeof parseArgs = (config) => {
  const args = config?.args?.map((arg) => (HYPHENATED_ID.test(arg) ? MARK + arg : arg))
  const parsed = parseArgs({ ...config, args, allowPositionals: true })
  return { ...parsed, positionals: parsed.positionals.map(unmarked) } as ReturnType<
    typeof parseArgs<typeof config & {}>
  >
}

/** Removes the first `--`, which only separates options from arguments. */
export function withoutSeparator(args: readonly string[]): string[] {
  const at = args.indexOf('--')
  return args.filter((_, i) => i !== at)
}

/** Returns the argument of a command that takes exactly one file. Throws `UsageError`. */
export function fileArgument(args: readonly string[], usage: string): string {
  const [file, ...more] = withoutSeparator(args)
  if (file === undefined || file === '' || (file.startsWith('-') && args[0] !== '--') || more.length > 0)
    throw new UsageError(`Usage: mayfly ${usage}`)
  return file
}

const DAYS_MAX = 36_500

/** Returns the number of an option `--days`. Throws `UsageError`. */
export function daysOption(text: string | undefined): number {
  const days = Number(text)
  if (!/^[1-9]\d*$/.test(text ?? '') || days > DAYS_MAX)
    throw new UsageError(`--days must be a whole number from 1 to ${DAYS_MAX}`)
  return days
}
