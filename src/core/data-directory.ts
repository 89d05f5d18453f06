/** The name of the database file in the data directory: the store writes it, others look whether it is there. */
export const DATABASE_FILE = 'mayfly.db'
