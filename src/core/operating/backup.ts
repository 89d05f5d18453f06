/** The contents of a backup of the embedded database, for display. */
export interface BackupContent {
  bytes: number
  /** Live addresses and messages. */
  addresses: number
  messages: number
}

export interface BackupDone extends BackupContent {
  milliseconds: number
  /** The location of the service key, which a backup never contains. */
  keyPlace: string
}
