import { type Config, PREFIX } from '#config/table.ts'
import { makeWritableDirectory } from '#files/directory.ts'
import { lockRunning } from '#store/dialects/sqlite/use-lock.ts'

/**
 * Marks the data directory as used by this service until `release` is called. `warning` is set if another service uses
 * it. This is not an error, because the other service may be about to stop. Several services may share a PostgreSQL
 * database, so `warning` is never set there.
 */
export function lockDirectory({ storage }: Config): { warning: string | undefined; release(): void } {
  if (storage.databaseUrl !== undefined) return { warning: undefined, release() {} }
  const { isAlone, release } = lockRunning(storage.directory)
  const warning = `Another service uses the directory of ${PREFIX}DATA_DIR. Each of them notices only later what the other one received. Stop one of them, or use PostgreSQL`
  return { warning: isAlone ? undefined : warning, release }
}

/**
 * Returns a warning if emails go into files that cannot be written. With SQLite, the start fails without the directory;
 * with PostgreSQL, nothing else may need it.
 */
export async function outboxWarning({
  storage: { databaseUrl, directory },
  email: { relayUrl },
}: Pick<Config, 'storage' | 'email'>): Promise<string | undefined> {
  if (databaseUrl === undefined || relayUrl !== undefined) return undefined
  try {
    await makeWritableDirectory(directory)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return `${PREFIX}DATA_DIR is "${directory}", which cannot be written (${code}), and ${PREFIX}OUTBOUND_URL is not set: no email can be sent. Set one of them`
  }
}
