import type { Command } from './command.ts'

/** What `--help` prints: the commands, then the settings. */
export function help(commands: readonly Pick<Command, 'usage' | 'about'>[], settings: string): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length))
  const lines = commands.map(({ usage, about }) => `  mayfly ${usage.padEnd(width)}  ${about}`)
  return ['Usage:', ...lines, '', 'Settings (environment variables) [default]:', settings].join('\n')
}
