import type { PostgresOptions } from './open.ts'

export const defaults: Omit<PostgresOptions, 'url'> = {
  readers: 4,
  writers: 4,
  connectTimeout: 5000,
  statementTimeout: 5000,
  lockTimeout: 3000,
  onTrouble(message, error) {
    throw new Error(message, { cause: error })
  },
}
