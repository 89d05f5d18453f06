import type { Kind } from './kinds.ts'

export interface SettingFlags {
  /** The value is never printed, not even when it is wrong. */
  secret?: boolean
  /** One of the few that a public site needs: README and `--help` list these alone. */
  essential?: boolean
}

export interface Setting<
  Key extends string = string,
  T = unknown,
  Fallback extends string | undefined = string | undefined,
> extends SettingFlags {
  /** The name of the environment variable without `MAYFLY_`. */
  key: Key
  kind: Kind<T>
  /** The default as an operator would write it; undefined: unset. */
  fallback: Fallback
  about: string
}

/** The value in a `Config`: undefined is possible only without a default. */
export type ValueOf<S> =
  S extends Setting<string, infer T, infer Fallback> ? T | (undefined extends Fallback ? undefined : never) : never

export const setting = <const Key extends string, T, const Fallback extends string | undefined>(
  key: Key,
  kind: Kind<T>,
  fallback: Fallback,
  about: string,
  flags: SettingFlags = {},
): Setting<Key, T, Fallback> => ({ key, kind, fallback, about, ...flags })
