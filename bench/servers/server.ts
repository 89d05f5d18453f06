/** A mail server under test: a separate process on loopback that writes messages to disk. */
export interface BenchServer {
  pid: number
  smtpPort: number
  /** The recipients of the load. */
  recipients: string[]
  /** Returns the counters of the server by name. Empty if it has none. */
  counters(): Promise<Record<string, number>>
  /** Stops the server and removes its files. */
  stop(): Promise<void>
}

export interface BenchServerKind {
  name: string
  /** The configuration, for the report. */
  setup: string
  start(): Promise<BenchServer>
}
