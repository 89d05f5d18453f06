import type { Reporter, TestModule } from 'vitest/node'

/**
 * Prints why tests were skipped, which ones passed only after a retry and what had failed, and the last line of a run:
 * `N passed, N failed`. A file that can't be loaded counts as one failed test.
 */
export default class Totals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length
    const broken = modules.filter((module) => module.errors().length > 0).length
    const notes = tests.flatMap((test) => {
      const result = test.result()
      return result.state === 'skipped' && result.note ? [result.note] : []
    })
    for (const note of new Set(notes)) process.stdout.write(`skipped: ${note}\n`)
    for (const test of tests.filter((each) => each.diagnostic()?.flaky)) {
      const [error] = test.result().errors ?? []
      const lines = (error?.stack ?? '').split('\n').filter((line) => !line.includes('/node_modules/'))
      process.stdout.write(
        `passed after a retry: ${test.module.relativeModuleId}: ${test.fullName}: ${lines.join('\n')}\n`,
      )
    }
    process.stdout.write(`${count('passed')} passed, ${count('failed') + broken + errors.length} failed\n`)
  }
}
