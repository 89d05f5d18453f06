import { writeFileSync } from 'node:fs'
import type { Case } from './corpus.ts'
import { candidatesOf } from './finder.ts'
import { type Calibration, type Kind, logistic, useCalibration, useWeights } from './model.ts'

const KINDS: readonly Kind[] = ['code', 'link']

interface Row {
  features: number[]
  label: 0 | 1
  weight: number
}

const ROUNDS = 250
const L2 = 0.7
const RATE = 0.5

/** Fits a logistic regression by gradient descent with an adaptive rate for each weight (Adagrad). Deterministic. */
export function fit(rows: readonly Row[], size: number, { l2 = L2, rounds = ROUNDS } = {}): Float64Array {
  const weights = new Float64Array(size)
  const squares = new Float64Array(size).fill(1e-8)
  for (let round = 0; round < rounds; round++) {
    const gradient = new Float64Array(size)
    for (const { features, label, weight } of rows) {
      let score = 0
      for (const feature of features) score += weights[feature] ?? 0
      const error = weight * (1 / (1 + Math.exp(-score)) - label)
      for (const feature of features) gradient[feature] = (gradient[feature] ?? 0) + error
    }
    for (let i = 0; i < size; i++) {
      const g = (gradient[i] ?? 0) + (i === 0 ? 0 : l2 * (weights[i] ?? 0))
      squares[i] = (squares[i] ?? 0) + g * g
      weights[i] = (weights[i] ?? 0) - (RATE * g) / Math.sqrt(squares[i] ?? 1)
    }
  }
  return weights
}

/** Lines at the end of mails that have numbers but nothing to find. */
const FOOTERS = [
  'PO Box 77120, Springfield',
  'Orlo GmbH, Hauptstraße 12, 10115 Berlin, HRB 204518',
  'Questions? Call +44 20 7946 0112, Monday to Friday, 9:00 to 17:30.',
  'Ticket 5512077 · 12 March 2026 14:02',
  'Customer number: 80044213',
  '© 2026 Veloz S.A. · CIF B66120345 · 08018 Barcelona',
  'ООО «Лента», ИНН 7701234567, тел. 8 800 555-35-35',
  '沪ICP备2023011873号 客服热线 400-820-8820',
  '〒150-0042 東京都渋谷区宇田川町18-4　登録番号T1180301018771',
  'Sent to you on 2026-03-12. Reference 4471-2208.',
  'IP 203.0.113.77, Firefox 148, Windows 11',
  'Your order 482077 is still in the basket.',
]

/** Returns a mail with one of the footers. What is to be found stays the same. */
function withFooter(mail: Case, i: number): Case {
  const footer = FOOTERS[i % FOOTERS.length] ?? ''
  return {
    ...mail,
    text: mail.text === null ? null : `${mail.text}\n\n${footer}\n`,
    html: mail.html === null ? null : `${mail.html}<p>${footer}</p>`,
  }
}

/** Trains the weights of one kind on mails with known answers. */
export function train(cases: readonly Case[], kind: Kind, options?: { l2?: number }): Record<string, number> {
  const index = new Map<string, number>([['bias', 0]])
  const id = (feature: string): number => {
    const known = index.get(feature)
    if (known !== undefined) return known
    index.set(feature, index.size)
    return index.size - 1
  }
  const rows = [...cases, ...cases.map(withFooter)].flatMap((mail) =>
    candidatesOf(mail)[kind].map(({ value, features }): Row => ({
      features: [0, ...[...features].map(id)],
      label: value === mail.expect[kind] ? 1 : 0,
      weight: 1,
    })),
  )
  const weights = fit(rows, index.size, options)
  return Object.fromEntries(
    [...index]
      .map(([feature, i]) => [feature, Math.round((weights[i] ?? 0) * 100) / 100] as const)
      .filter(([, w]) => w !== 0),
  )
}

/** A value may occur in several places. Each pass trains on the best place by the weights of the pass before. */
const PASSES = 2

/** Trains the weights of both kinds, and uses them in this process. */
export function trainAll(cases: readonly Case[]): Record<Kind, Record<string, number>> {
  const weights: Record<Kind, Record<string, number>> = { code: {}, link: {} }
  for (const kind of KINDS) useWeights(kind, {})
  for (let pass = 0; pass < PASSES; pass++)
    for (const kind of KINDS) {
      weights[kind] = train(cases, kind)
      useWeights(kind, weights[kind])
    }
  return weights
}

const FOLDS = 5
const CALIBRATION_ROUNDS = 20_000
const CALIBRATION_RATE = 0.002

/** Fits `logistic(slope * score + offset)` to whether the candidates with these scores were right. */
function fitCalibration(rows: readonly { score: number; right: boolean }[]): Calibration {
  let slope = 1
  let offset = 0
  for (let round = 0; round < CALIBRATION_ROUNDS; round++) {
    let bySlope = 0
    let byOffset = 0
    for (const { score, right } of rows) {
      const error = logistic(slope * score + offset) - (right ? 1 : 0)
      bySlope += error * score
      byOffset += error
    }
    slope -= (CALIBRATION_RATE * bySlope) / rows.length
    offset -= (CALIBRATION_RATE * byOffset) / rows.length
  }
  return { slope: Math.round(slope * 1000) / 1000, offset: Math.round(offset * 1000) / 1000 }
}

/**
 * Calibrates both kinds by cross-validation on the mails of independent writers. Each is scored with weights that were
 * trained without it. Leaves other weights in use.
 */
export function calibrate(cases: readonly Case[]): Record<Kind, Calibration> {
  const rows: Record<Kind, { score: number; right: boolean }[]> = { code: [], link: [] }
  const folds = new Map(cases.filter(({ independent }) => independent).map((mail, i) => [mail, i % FOLDS]))
  for (let fold = 0; fold < FOLDS; fold++) {
    trainAll(cases.filter((mail) => folds.get(mail) !== fold))
    for (const [mail] of [...folds].filter(([, own]) => own === fold)) {
      const found = candidatesOf(mail)
      for (const kind of KINDS)
        for (const { value, score } of found[kind].slice(0, 1))
          rows[kind].push({ score, right: value === mail.expect[kind] })
    }
  }
  const calibration = { code: fitCalibration(rows.code), link: fitCalibration(rows.link) }
  for (const kind of KINDS) useCalibration(kind, calibration[kind])
  return calibration
}

/** Writes `weights.json`. */
export function writeWeights(
  weights: Record<Kind, Record<string, number>>,
  calibration: Record<Kind, Calibration>,
): void {
  const sorted = (kind: Kind): Record<string, number> =>
    Object.fromEntries(Object.entries(weights[kind]).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const content = { calibration, weights: { code: sorted('code'), link: sorted('link') } }
  writeFileSync(new URL('./weights.json', import.meta.url), `${JSON.stringify(content, null, 2)}\n`)
}
