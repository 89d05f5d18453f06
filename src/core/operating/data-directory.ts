/** The name of the database file in the data directory: the store writes it, others look whether it is there. */
export const DATABASE_FILE = 'mayfly.db'
/** The file of the data directory that is locked while a process uses the database. It is always empty. */
export const LOCK_FILE = 'service.lock'
