import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FinderInput } from './finder.ts'
import type { Kind } from './model.ts'

/** A mail of the corpus and the code and link that a person would use. */
export type Case = FinderInput & {
  name: string
  language: string
  /** Whether its writer did not know the finder. */
  independent: boolean
  /**
   * Whether it was chosen for links that only look right. Such messages are not a sample of what people get, and their
   * codes are more unusual. They teach links alone, and the confidence is not fitted to them.
   */
  nearMiss: boolean
  /** How much it counts when the model is trained. */
  weight: number
  expect: Record<Kind, string | null>
}

/** Mails that resemble real ones count more than those that were written to teach something. */
export const WEIGHTS = { real: 2, made: 1 }

/** Returns whether a message is used to fit the confidence: it resembles real mail. */
export const isSample = ({ independent, nearMiss }: Case): boolean => independent && !nearMiss

/** The part of the corpus for which words and weights are made, or the part that is only measured. */
export type Part = 'tuning' | 'measured'

/** Returns all messages of a part of `test/fixtures/finder`. */
export function corpus(part: Part): Case[] {
  const directory = join(import.meta.dirname, '../../../test/fixtures/finder', part)
  return globSync('*.json', { cwd: directory })
    .toSorted()
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(directory, file), 'utf8')) as (FinderInput & Pick<Case, 'name' | 'expect'>)[]).map(
        (mail) => {
          const independent = part === 'measured' || /^(?:real|near)-/.test(file)
          return {
            ...mail,
            language: basename(file, '.json').replace(/^(?:real|near)-/, ''),
            independent,
            nearMiss: file.startsWith('near-'),
            weight: independent ? WEIGHTS.real : WEIGHTS.made,
          }
        },
      ),
    )
}
