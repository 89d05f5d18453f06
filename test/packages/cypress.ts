export type Commands = Record<string, (...args: any[]) => Promise<any>>
type Task = (argument: unknown) => unknown

/**
 * A stand-in for Cypress: registers commands and tasks, and passes JSON between them as Cypress does between browser and
 * Node. A command is its own promise, not part of a queue.
 */
export function createCypress() {
  const tasks: Record<string, Task> = {}
  const commands: Commands = {}
  const hooks: (() => unknown)[] = []
  const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

  async function task(event: string, argument: unknown, { timeout = 60_000 }: { timeout?: number } = {}) {
    const run = tasks[event]
    if (!run) throw new Error(`The task '${event}' was not handled in the setupNodeEvents method`)
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error(`cy.task('${event}') timed out after ${timeout}ms`)), timeout)
    try {
      const result = await Promise.race([(async () => run(overTheWire(argument)))(), late.promise])
      if (result === undefined) throw new Error(`The task '${event}' returned undefined`)
      return overTheWire(result)
    } finally {
      clearTimeout(timer)
    }
  }

  Object.assign(globalThis, {
    Cypress: { Commands: { add: (name: string, command: Commands[string]) => void (commands[name] = command) } },
    cy: { task },
    after: (hook: () => unknown) => void hooks.push(hook),
  })
  return {
    commands,
    /** The `on` of `setupNodeEvents`. */
    on: (_event: 'task', added: Record<string, Task>) => Object.assign(tasks, added),
    /** Ends the spec file. */
    end: () => Promise.all(hooks.map((hook) => hook())),
  }
}
