import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { Case } from './corpus.ts'
import { candidatesOf, readingsOf } from './finder.ts'
import { type Calibration, type Kind, logistic, logOdds, type Row, useModel, type Weights } from './model.ts'
import { type Reading, trainWeights } from './net.ts'

const KINDS: readonly Kind[] = ['code', 'link']

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

/** The rows of all readings of a mail, and its code and link. */
export interface Example {
  mail: Case
  rows: Record<Kind, Row[][]>
}

/** Returns what is learned from: each mail as it is, and with a footer. */
export function examplesOf(mails: readonly Case[]): Example[] {
  return mails.flatMap((mail, i) =>
    [mail, withFooter(mail, i)].map((version) => {
      const { code, link } = readingsOf(version)
      const hasCode = mail.expect.code !== null
      const rows = {
        code: [code.html(), code.text(), code.images()],
        link: [link.html(hasCode), link.text(hasCode)],
      }
      return {
        mail,
        rows: {
          code: rows.code.filter(({ length }) => length > 0),
          link: rows.link.filter(({ length }) => length > 0),
        },
      }
    }),
  )
}

/** Returns a hash of examples. Weights that were made from the same examples are the same. */
export function hashOf(examples: readonly Example[]): string {
  const hash = createHash('sha256')
  for (const { mail, rows } of examples)
    for (const kind of KINDS)
      for (const row of rows[kind].flat())
        hash.update(`${kind} ${row.value === mail.expect[kind]} ${[...row.features].join()}\n`)
  return hash.digest('hex').slice(0, 16)
}

/** Mails of independent writers count more. */
const INDEPENDENT = 2
/** A feature of fewer places is left out. */
const RARE = 3

/** Trains the weights of one kind. */
function train(examples: readonly Example[], kind: Kind): Weights {
  const counts = new Map<string, number>()
  for (const { features } of examples.flatMap(({ rows }) => rows[kind].flat()))
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const names = [...counts].flatMap(([name, count]) => (count >= RARE ? name : [])).toSorted()
  const ids = new Map(names.map((name, id) => [name, id]))
  const readings = examples.flatMap(({ mail, rows }) =>
    rows[kind].map((places): Reading => ({
      weight: (mail.independent ? INDEPENDENT : 1) / 2,
      places: places.map(({ value, features }) => ({
        features: [...features].flatMap((feature) => ids.get(feature) ?? []),
        right: value === mail.expect[kind],
      })),
    })),
  )
  return trainWeights(readings, names)
}

const UNCALIBRATED: Calibration = { slope: 1, offset: 0 }

/** Trains the weights of both kinds, and uses them in this process. */
export function trainAll(examples: readonly Example[], calibration?: Record<Kind, Calibration>): Record<Kind, Weights> {
  const weights = { code: train(examples, 'code'), link: train(examples, 'link') }
  for (const kind of KINDS) useModel(kind, { weights: weights[kind], calibration: calibration?.[kind] ?? UNCALIBRATED })
  return weights
}

const FOLDS = 4
/** Mails that stand next to each other in the corpus may resemble each other. They stay together. */
const BLOCK = 3

/**
 * Calls `visit` for each mail of the independent writers while a model is in use that was trained without it. Leaves
 * other weights in use.
 */
export function crossValidate(examples: readonly Example[], visit: (mail: Case) => void): void {
  const mails = [...new Set(examples.map(({ mail }) => mail))].filter(({ independent }) => independent)
  const folds = new Map(mails.map((mail, i) => [mail, Math.floor(i / BLOCK) % FOLDS]))
  for (let fold = 0; fold < FOLDS; fold++) {
    trainAll(examples.filter(({ mail }) => folds.get(mail) !== fold))
    for (const mail of mails) if (folds.get(mail) === fold) visit(mail)
  }
}

/** The best candidate of a mail by a model that does not know the mail. */
export interface Trial {
  mail: Case
  confidence: number
  right: boolean
}

/** Returns the best candidates of all mails of the independent writers, not calibrated. */
export function trialsOf(examples: readonly Example[]): Record<Kind, Trial[]> {
  const trials: Record<Kind, Trial[]> = { code: [], link: [] }
  crossValidate(examples, (mail) => {
    const found = candidatesOf(mail)
    for (const kind of KINDS)
      for (const { value, confidence } of found[kind].slice(0, 1))
        trials[kind].push({ mail, confidence, right: value === mail.expect[kind] })
  })
  return trials
}

const ROUNDS = 20_000
const RATE = 0.002

/** Fits `logistic(slope * log-odds + offset)` to whether candidates were right. */
export function fitCalibration(trials: readonly Trial[]): Calibration {
  const rows = trials.map(({ confidence, right }) => ({ odds: logOdds(confidence), right: right ? 1 : 0 }))
  let { slope, offset } = UNCALIBRATED
  for (let round = 0; round < ROUNDS; round++) {
    let bySlope = 0
    let byOffset = 0
    for (const { odds, right } of rows) {
      const error = logistic(slope * odds + offset) - right
      bySlope += error * odds
      byOffset += error
    }
    slope -= (RATE * bySlope) / rows.length
    offset -= (RATE * byOffset) / rows.length
  }
  return { slope: Math.round(slope * 1000) / 1000, offset: Math.round(offset * 1000) / 1000 }
}

/** Writes `weights.json`, one feature on each line. */
export function writeWeights(
  weights: Record<Kind, Weights>,
  calibration: Record<Kind, Calibration>,
  examples: string,
): void {
  const kinds = KINDS.map((kind) => {
    const { bias, units, features } = weights[kind]
    const lines = Object.entries(features).map(
      ([name, numbers]) => `        ${JSON.stringify(name)}: ${JSON.stringify(numbers)}`,
    )
    return `  "${kind}": {
    "calibration": ${JSON.stringify(calibration[kind])},
    "weights": {
      "bias": ${bias},
      "units": ${JSON.stringify(units)},
      "features": {
${lines.join(',\n')}
      }
    }
  }`
  })
  writeFileSync(
    new URL('./weights.json', import.meta.url),
    `{\n  "examples": "${examples}",\n${kinds.join(',\n')}\n}\n`,
  )
}
