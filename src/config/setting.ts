import type { Kind } from './kinds.ts'

interface SettingFlags {
  /** The value is never printed, not even in an error about it. */
  secret?: boolean
  /** The name of another setting. If that one is set, the default is empty. */
  emptyWith?: string
  /** A public site needs this setting. README and `--help` list only these. */
  essential?: boolean
  /** A value that operators rarely need to change. It is listed in docs/operating/limits.md and by `--help limits`. */
  isLimit?: boolean
}

export interface Setting<
  Key extends string = string,
  T = unknown,
  Fallback extends string | undefined = string | undefined,
> extends SettingFlags {
  /** The name of the environment variable without `MAYFLY_`. */
  key: Key
  kind: Kind<T>
  /** The default as the operator would write it. Undefined: unset. */
  fallback: Fallback
  about: string
}

/** The type of the value in a `Config`. It includes undefined only if the setting has no default. */
export type ValueOf<S> =
  S extends Setting<string, infer T, infer Fallback> ? T | (undefined extends Fallback ? undefined : never) : never

export const setting = <const Key extends string, T, const Fallback extends string | undefined>(
  key: Key,
  kind: Kind<T>,
  fallback: Fallback,
  about: string,
  flags: SettingFlags = {},
): Setting<Key, T, Fallback> => ({ key, kind, fallback, about, ...flags })

/**
 * A safety cap or a time that operators do not need to change. The environment can still override it: tests of the
 * whole program shorten times, and an operator under attack may need another cap.
 */
export const limit: typeof setting = (key, kind, fallback, about, flags) =>
  setting(key, kind, fallback, about, { ...flags, isLimit: true })
