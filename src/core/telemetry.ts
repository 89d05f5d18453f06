/** A structured log without personal data: no addresses, subjects, bodies, codes or secrets. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Counters, gauges and histograms by name. Labels are few and never personal. */
export interface Metrics {
  count(name: string, labels?: Record<string, string>, by?: number): void
  gauge(name: string, value: number, labels?: Record<string, string>): void
  /** `value` is in seconds or bytes, as the unit in the name says. */
  observe(name: string, value: number, labels?: Record<string, string>): void
}
