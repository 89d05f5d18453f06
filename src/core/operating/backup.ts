/** What a backup of the embedded database holds, for people. */
export interface BackupContent {
  bytes: number
  /** Addresses and messages that are alive. */
  addresses: number
  messages: number
}

export interface BackupDone extends BackupContent {
  milliseconds: number
  /** Where the service key is, which a backup never contains. */
  keyPlace: string
}
