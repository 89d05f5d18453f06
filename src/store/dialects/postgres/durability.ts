import type { Pool } from 'pg'
import { runOn } from './driver.ts'

/** PostgreSQL settings under which a power cut or a failover may lose a commit or damage the database. */
export interface Durability {
  fsync: string
  full_page_writes: string
  synchronous_commit: string
  synchronous_standby_names: string
}

/** Returns the risks of the settings, one sentence each. */
export function risksOf(settings: Durability): string[] {
  const { fsync, full_page_writes: pages, synchronous_commit: commit, synchronous_standby_names: standbys } = settings
  const risks: string[] = []
  if (fsync === 'off')
    risks.push('fsync is off: a power cut loses mail that was acknowledged, and may damage the database')
  if (pages === 'off') risks.push('full_page_writes is off: a power cut may damage the database')
  if (commit === 'off') risks.push('synchronous_commit is off: a crash of PostgreSQL loses mail that was acknowledged')
  if (commit === 'local' && standbys !== '')
    risks.push('synchronous_commit is local: a failover loses mail that was acknowledged')
  return risks
}

/** Reads the risks of the settings that apply to connections of this user to this database. */
export async function readRisks(pool: Pool): Promise<string[]> {
  const [{ rows }] = await runOn(pool, [
    `select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
            current_setting('synchronous_commit') as synchronous_commit,
            current_setting('synchronous_standby_names') as synchronous_standby_names`,
  ])
  return (rows as Durability[]).flatMap(risksOf)
}
