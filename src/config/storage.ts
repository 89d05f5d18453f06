import { bytes, databaseUrl, integer, seconds, text } from './kinds.ts'
import { limit, setting } from './setting.ts'

const PATH = text('a path')

/** Where data is kept: the embedded database or PostgreSQL, and the service key. */
export const storage = {
  directory: setting('DATA_DIR', PATH, './data', 'Directory of the database and the service key', { essential: true }),
  secretKey: setting(
    'SECRET_KEY',
    text('64 hexadecimal digits', /^[0-9a-f]{64}$/i),
    undefined,
    'The service key; unset: created at the first start and kept in the data directory',
    { secret: true },
  ),
  secretKeyFile: setting(
    'SECRET_KEY_FILE',
    PATH,
    undefined,
    'File with the service key, such as a Docker or Kubernetes secret; created at the first start if it is missing; unset: `secret.key` in the data directory',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    databaseUrl,
    undefined,
    'PostgreSQL database that several nodes share; unset: an embedded one in the data directory',
    { secret: true },
  ),
  readers: limit(
    'DATABASE_READ_CONNECTIONS',
    integer(1, 1000),
    '10',
    'PostgreSQL connections of this node for reading',
  ),
  writers: limit(
    'DATABASE_WRITE_CONNECTIONS',
    integer(1, 1000),
    '4',
    'PostgreSQL connections of this node for writing',
  ),
  connectTimeout: limit(
    'DATABASE_CONNECT_SECONDS',
    seconds(1, 300),
    '5',
    'How long a connection to PostgreSQL may take',
  ),
  statementTimeout: limit(
    'DATABASE_STATEMENT_SECONDS',
    seconds(1, 3600),
    '10',
    'How long a statement on PostgreSQL may take',
  ),
  reserveBytes: limit(
    'DISK_RESERVE_BYTES',
    bytes(0),
    '64MB',
    'Space to leave free on the disk of the embedded database; below it no mail is accepted, but deleting still works',
  ),
  sweepInterval: limit(
    'SWEEP_SECONDS',
    seconds(1, 3600),
    '60',
    'Time between two sweeps, which remove what has expired',
  ),
}
