/** A mail server under test: a process of its own on loopback that writes what it takes to disk. */
export interface BenchServer {
  pid: number
  smtpPort: number
  /** To whom the load is sent. */
  recipients: string[]
  /** What the server says about itself after the load, by name; empty where it says nothing. */
  counters(): Promise<Record<string, number>>
  /** Stops it and removes its files. */
  stop(): Promise<void>
}

export interface BenchServerKind {
  name: string
  /** How it was set up, for the report. */
  setup: string
  start(): Promise<BenchServer>
}
