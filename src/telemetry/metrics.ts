import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Metrics } from '#core/telemetry.ts'
import { declared } from './declared.ts'

interface MetricsRegistry extends Metrics {
  /** Returns the metrics in the Prometheus text format, and its content type. */
  render(): Promise<{ contentType: string; body: string }>
}

/** Returns each combination of the values of labels. */
const combinations = (labels: Record<string, readonly string[]>): Record<string, string>[] =>
  Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [label, values]) => all.flatMap((each) => values.map((value) => ({ ...each, [label]: value }))),
    [{}],
  )

/** Creates the metrics by name. Only declared metrics are accepted, so that a typo fails in the first test. */
export function createMetrics(): MetricsRegistry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counters = new Map<string, Counter>()
  const gauges = new Map<string, Gauge>()
  const histograms = new Map<string, Histogram>()
  for (const [name, { type, help, labels = {}, buckets, optional }] of Object.entries(declared)) {
    const common = {
      name: `mayfly_${name}${type === 'counter' ? '_total' : ''}`,
      help,
      labelNames: Object.keys(labels),
      registers: [registry],
    }
    if (type === 'counter') {
      const counter = new Counter(common)
      for (const known of combinations(labels)) counter.inc(known, 0)
      counters.set(name, counter)
    } else if (type === 'gauge') {
      const gauge = new Gauge(common)
      if (optional) gauge.remove({})
      gauges.set(name, gauge)
    } else histograms.set(name, new Histogram({ ...common, ...(buckets ? { buckets } : {}) }))
  }
  const declaredMetric = <T>(metrics: Map<string, T>, name: string): T => {
    const metric = metrics.get(name)
    if (!metric) throw new Error(`The metric ${name} is not declared in telemetry/declared.ts`)
    return metric
  }
  return {
    count: (name, labels = {}, by = 1) => declaredMetric(counters, name).inc(labels, by),
    gauge: (name, value, labels = {}) => declaredMetric(gauges, name).set(labels, value),
    observe: (name, value, labels = {}) => declaredMetric(histograms, name).observe(labels, value),
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}
