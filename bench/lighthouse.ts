import { join } from 'node:path'
import { findBrowser, FLAGS } from './lib/browser.ts'
import { median, round, table } from './lib/figures.ts'
import { runTool } from './lib/process.ts'
import { startMayfly } from './servers/mayfly.ts'

const LIGHTHOUSE = join(import.meta.dirname, 'node_modules/lighthouse/cli/index.js')
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const METRICS = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
}
const PAGES = ['/', '/articleDetail?slug=why-a-temporary-address', '/contact']
const LANGUAGES = ['zh', 'en', 'ar']

interface Audit {
  score: number | null
  numericValue?: number
  details?: { items: { url: string; statusCode: number }[] }
}

interface Report {
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, Audit>
}

/**
 * Runs one audit with an empty profile and the defaults: a phone with a simulated slow network and CPU. The user agent
 * is that of Chrome on a phone, not that of a crawler.
 */
async function audit(url: string): Promise<Report> {
  const chrome = `--chrome-flags=--headless ${FLAGS.join(' ')}`
  const flags = ['--output=json', '--quiet', '--no-enable-error-reporting', chrome]
  const { path, env } = await findBrowser()
  const output = await runTool([LIGHTHOUSE, url, ...flags], { ...env, CHROME_PATH: path })
  const report = JSON.parse(output) as Report
  // A page whose scripts fail to load is fast, but the result has no meaning.
  const requests = report.audits['network-requests']?.details?.items ?? []
  const missing = requests.filter(({ statusCode }) => statusCode < 200 || statusCode >= 400)
  if (requests.length === 0 || missing.length > 0)
    throw new Error(`${url} did not load completely: ${JSON.stringify(missing)}`)
  return report
}

/** Returns the audits that lower the score of a page in any run. */
function failures(reports: readonly Report[]): string[] {
  const failed = reports.flatMap(({ audits, categories }) =>
    Object.values(categories)
      .flatMap(({ auditRefs }) => auditRefs)
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => id),
  )
  return [...new Set(failed)]
}

/** Measures the median scores and metrics of each page in each language. */
export async function lighthouse({ rounds }: { rounds: number }): Promise<string> {
  const server = await startMayfly(0)
  try {
    const rows: string[][] = []
    for (const page of PAGES) {
      for (const language of LANGUAGES) {
        const path = language === 'zh' ? page : `/${language}${page === '/' ? '' : page}`
        const reports: Report[] = []
        while (reports.length < rounds) reports.push(await audit(server.url + path))
        const scores = (name: string): number[] => reports.map(({ categories }) => (categories[name]?.score ?? 0) * 100)
        const value = (id: string, digits = 0): string =>
          round(median(reports.map(({ audits }) => audits[id]?.numericValue ?? Number.NaN)), digits)
        rows.push([
          path,
          CATEGORIES.map((name) => round(median(scores(name)))).join(' / '),
          round(Math.min(...scores('performance'))),
          value(METRICS.FCP),
          value(METRICS.LCP),
          value(METRICS.TBT),
          value(METRICS.CLS, 3),
          failures(reports).join(' ') || 'none',
        ])
      }
    }
    return table([
      ['page', CATEGORIES.join(' / '), 'slowest run', 'FCP ms', 'LCP ms', 'TBT ms', 'CLS', 'audits below 0.9'],
      ...rows,
    ])
  } finally {
    await server.stop()
  }
}
