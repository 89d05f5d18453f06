import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { type Case, corpus, isSample } from './corpus.ts'
import { candidatesOf, readingsOf } from './finder.ts'
import { type Calibration, type Kind, logistic, logOdds, type Row, useModel, type Weights } from './model.ts'
import { WORD } from './near-words.ts'
import { type Reading, trainWeights } from './net.ts'
import { plainMails } from './plain.ts'
import { variantsOf, withUnknownWords } from './variants.ts'

const KINDS: readonly Kind[] = ['code', 'link']
/** Returns the kinds that are learned from a message. */
const kindsOf = ({ nearMiss }: Case): readonly Kind[] => (nearMiss ? ['link'] : KINDS)

/**
 * Returns the messages for training: the tuning part of the corpus, and short messages in each language made from
 * sentences.
 */
export const lessons = (): Case[] => [...corpus('tuning'), ...plainMails({ seed: 1, copies: 2, sentences: 'learned' })]

/** The rows of all readings of a message, and its code and link. */
interface Example {
  mail: Case
  rows: Record<Kind, Row[][]>
  weight: number
}

/** Returns the training examples: each message in all its variants. */
export const examplesOf = (mails: readonly Case[]): Example[] =>
  mails.flatMap((mail, i) =>
    variantsOf(mail, i).map((version, k) => ({
      mail,
      rows: k === 0 ? rowsOf(version) : withoutWords(rowsOf(version)),
      weight: k < KNOWN ? 1 : UNKNOWN_WORDS,
    })),
  )

/** Removes the words. All variants have the same few footers and made-up words, which must not be learned. */
const withoutWords = ({ code, link }: Example['rows']): Example['rows'] => {
  const strip = (places: Row[]): Row[] =>
    places.map((row) => ({ ...row, features: new Set([...row.features].filter((name) => !name.startsWith(WORD))) }))
  return { code: code.map(strip), link: link.map(strip) }
}

function rowsOf(mail: Case): Example['rows'] {
  const { code, link } = readingsOf(mail)
  const hasCode = mail.expect.code !== null
  const rows = { code: [code.html(), code.text(), code.images()], link: [link.html(hasCode), link.text(hasCode)] }
  return {
    code: rows.code.filter(({ length }) => length > 0),
    link: rows.link.filter(({ length }) => length > 0),
  }
}

/**
 * The hash covers the features and variants of every eighth message. Computing them for all messages takes too long.
 */
const SAMPLED = 8

/** Returns a hash of the training data. It may not change if a changed feature affects only a few messages. */
export function hashOf(mails: readonly Case[]): string {
  const hash = createHash('sha256')
  for (const [i, mail] of mails.entries()) {
    const { subject, text, html, fromName, fromAddress, expect, weight } = mail
    hash.update(
      JSON.stringify([subject, text, html, fromName, fromAddress, expect, weight, kindsOf(mail), isSample(mail)]),
    )
    if (i % SAMPLED > 0) continue
    const rows = rowsOf(mail)
    for (const kind of kindsOf(mail))
      for (const row of rows[kind].flat())
        hash.update(`${kind} ${row.value === mail.expect[kind]} ${[...row.features].join()}\n`)
    // Their features follow from the words, which the features of the messages as they are show.
    for (const variant of variantsOf(mail, i).slice(1))
      hash.update(`${variant.subject}\n${variant.text}\n${variant.html}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Variants with words that mean something, and the weight of the others. */
const KNOWN = 2
const UNKNOWN_WORDS = 0.5
/** A feature that fewer places have is left out. */
const RARE = 6
/** Words of fewer places or senders are left out, so that no brand is learned. Only independent writers count. */
const RARE_WORD = { places: 12, senders: 10 }

/** Trains the weights of one kind. */
function train(all: readonly Example[], kind: Kind): Weights {
  const examples = all.filter(({ mail }) => kindsOf(mail).includes(kind))
  const counts = new Map<string, number>()
  const senders = new Map<string, Set<string>>()
  for (const { mail, rows } of examples)
    for (const { features } of rows[kind].flat())
      for (const feature of features) {
        if (feature.startsWith(WORD) && !mail.independent) continue
        counts.set(feature, (counts.get(feature) ?? 0) + 1)
        if (feature.startsWith(WORD)) senders.set(feature, (senders.get(feature) ?? new Set()).add(mail.fromAddress))
      }
  const isCommon = ([name, count]: [string, number]): boolean =>
    name.startsWith(WORD)
      ? count >= RARE_WORD.places && (senders.get(name)?.size ?? 0) >= RARE_WORD.senders
      : count >= RARE
  // Words come last, because `WORD` sorts behind letters.
  const names = [...counts]
    .filter(isCommon)
    .map(([name]) => name)
    .toSorted()
  const ids = new Map(names.map((name, id) => [name, id]))
  const readings = examples.flatMap(({ mail, rows, weight }) =>
    rows[kind].map((places): Reading => ({
      weight: (weight * mail.weight) / 2,
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
 * Calls `visit` for each message of the independent writers while a model is in use that was trained without it. Leaves
 * other weights in use.
 */
function crossValidate(examples: readonly Example[], visit: (mail: Case) => void): void {
  const mails = [...new Set(examples.map(({ mail }) => mail))].filter(isSample)
  const folds = new Map(mails.map((mail, i) => [mail, Math.floor(i / BLOCK) % FOLDS]))
  for (let fold = 0; fold < FOLDS; fold++) {
    trainAll(examples.filter(({ mail }) => folds.get(mail) !== fold))
    for (const mail of mails) if (folds.get(mail) === fold) visit(mail)
  }
}

/** The best candidate of a message by a model that does not know the message. */
interface Trial {
  mail: Case
  confidence: number
  right: boolean
}

/**
 * Returns the best candidates of all messages of the independent writers, not calibrated: of each message as it is, and
 * with words that mean nothing, because mail from elsewhere has words that the finder does not know.
 */
export function trialsOf(examples: readonly Example[]): Record<Kind, Trial[]> {
  const trials: Record<Kind, Trial[]> = { code: [], link: [] }
  crossValidate(examples, (mail) => {
    for (const version of [mail, withUnknownWords(mail, TRIED, SEED)]) {
      const found = candidatesOf(version)
      for (const kind of KINDS)
        for (const { value, confidence } of found[kind].slice(0, 1))
          trials[kind].push({ mail, confidence, right: value === mail.expect[kind] })
    }
  })
  return trials
}

/** Share of the unknown words in trials, and the seed of their choice. */
const [TRIED, SEED] = [0.12, 90_000]
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
    const { bias, units, features, words } = weights[kind]
    const linesOf = (values: object): string =>
      Object.entries(values)
        .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
        .join(',\n')
    return `"${kind}": {
"calibration": ${JSON.stringify(calibration[kind])},
"weights": {
"bias": ${bias},
"units": ${JSON.stringify(units)},
"features": {
${linesOf(features)}
},
"words": {
${linesOf(words)}
}
}
}`
  })
  writeFileSync(new URL('./weights.json', import.meta.url), `{\n"examples": "${examples}",\n${kinds.join(',\n')}\n}\n`)
}
