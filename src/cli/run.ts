import { MayflyError } from '#core/errors.ts'
import { addresses } from './addresses.ts'
import { backup } from './backup.ts'
import { check } from './check.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'
import { dns } from './dns.ts'
import { doctor } from './doctor.ts'
import { findCode } from './find-code.ts'
import { keys, webhooks } from './local-premium.ts'
import { mcp } from './mcp.ts'
import { newInbox } from './new.ts'
import { open } from './open.ts'
import { operatorMail } from './operator-mail.ts'
import { outbox } from './outbox.ts'
import { restore } from './restore.ts'
import { sendTest } from './send-test.ts'
import { stats } from './stats.ts'
import { subscriptions } from './subscriptions.ts'
import { wait } from './wait.ts'

export interface CliContext extends Omit<CommandContext, 'args'> {
  /**
   * Runs the service until a signal stops it. With `ephemeral`, nothing is kept, ports that are not set are free ones,
   * and one line of JSON is printed.
   */
  start(options: { ephemeral: boolean }): Promise<void>
  /** Returns settings or limits as text for `--help`. */
  settings(table: 'essential' | 'settings' | 'limits'): string
}

/** Runs one command. Returns the exit code: 0, 1 for a failure, 2 for wrong arguments. Never rejects. */
export async function run(argv: readonly string[], context: CliContext): Promise<number> {
  const commands: Record<string, Command> = {
    start: {
      usage: 'start [--ephemeral]',
      about: 'Run the service; with --ephemeral on free ports (if not set), keeping nothing, and printing JSON',
      async run({ args }) {
        const ephemeral = args[0] === '--ephemeral'
        if (args.length > (ephemeral ? 1 : 0)) throw new UsageError(`Usage: mayfly ${this.usage}`)
        await context.start({ ephemeral })
      },
    },
    new: newInbox,
    wait,
    open,
    mcp,
    'send-test': sendTest,
    'find-code': findCode,
    'operator-mail': operatorMail,
    outbox,
    dns,
    doctor,
    check,
    stats,
    backup,
    restore,
    addresses,
    subscriptions,
    keys,
    webhooks,
  }
  const flags = [
    { usage: '--version', about: 'Print the version' },
    { usage: '--help', about: 'Print this help' },
    { usage: '--help settings', about: 'Print all settings' },
    { usage: '--help limits', about: 'Print the limits, which rarely need a change' },
  ]
  const [name = '--help', ...args] = argv
  if (name === '--version') context.print(context.version)
  else if (name === '--help' || name === '-h')
    context.print(
      args[0] === 'settings' || args[0] === 'limits'
        ? context.settings(args[0])
        : help([...Object.values(commands), ...flags], context.settings('essential')),
    )
  else {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    return execute(command, name, { ...context, args })
  }
  return 0
}

/** Describes an error in one line. For a `MayflyError`, the line includes the cause. */
export function oneLine(error: unknown): string {
  const { message, code, cause, name } = error as NodeJS.ErrnoException
  const [line = ''] = message.split('\n', 1)
  if (error instanceof MayflyError && cause !== undefined) return `${line}: ${oneLine(cause)}`
  return line || code || name
}

/** Whether a command line asks for help. After `--`, `--help` is a value. */
export const asksForHelp = (args: readonly string[]): boolean =>
  args.some((arg, i) => (arg === '--help' || arg === '-h') && !args.slice(0, i).includes('--'))

async function execute(command: Command | undefined, name: string, context: CommandContext): Promise<number> {
  try {
    if (!command) throw new UsageError(`mayfly has no command ${JSON.stringify(name)}; mayfly --help lists them`)
    if (asksForHelp(context.args)) context.print(`Usage: mayfly ${command.usage}\n\n${command.about}`)
    else await command.run(context)
    return 0
  } catch (error) {
    context.printError(oneLine(error))
    const { code } = error as NodeJS.ErrnoException
    return error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1
  }
}

function help(commands: readonly Pick<Command, 'usage' | 'about'>[], settings: string): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length))
  const lines = commands.map(({ usage, about }) => `  mayfly ${usage.padEnd(width)}  ${about}`)
  return ['Usage:', ...lines, '', 'Settings (environment variables) [default]:', settings].join('\n')
}
