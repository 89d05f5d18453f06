import type { Kind } from './kinds.ts'

/** One setting: its environment variable is `MAYFLY_` and the key. `fallback` is text as an operator would write it. */
export interface Setting<T = unknown> {
  kind: Kind<T>
  /** Undefined: unset by default. */
  fallback: string | undefined
  about: string
}

export const setting = <T, F extends string | undefined>(kind: Kind<T>, fallback: F, about: string) => ({
  kind,
  fallback,
  about,
})
