import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest, and nearly all of it one test after the other. */
const LONGEST = [
  'container/container',
  'e2e/new-build',
  'e2e/pages',
  'cluster/nodes',
  'cluster/cut',
  'crashes/kills',
  'smtp/untrusted-mail',
  'http/every-page',
  'cli/cli',
].map((name) => `test/${name}.test.ts`)

const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.some((name) => moduleId.endsWith(name))

/**
 * Starts the longest files first, so that none of them runs alone at the end. Vitest knows the times only after a first run,
 * and until then goes by the sizes of the files.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- Not that of arrays: it returns a copy.
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((each) => !isLong(each))]
  }
}
