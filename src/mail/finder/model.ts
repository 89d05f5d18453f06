import { WORD } from './near-words.ts'
import trained from './weights.json' with { type: 'json' }

export type Kind = 'code' | 'link'

/** A place in a message where a code or a link may stand. */
export interface Row {
  value: string
  features: Set<string>
  /** The line or label that it was found in. */
  context: string
}

/** A value that may be the code or the link of the message. */
export interface Ranked {
  value: string
  /** The features of its best place. */
  features: ReadonlySet<string>
  context: string
  /** Probability that it is the one, 0 to 1. */
  confidence: number
}

/** A feature of a candidate, and how much lower its score would be without it. */
interface Reason {
  feature: string
  weight: number
}

/** Converts log-odds to the share of right answers in messages that the model was not trained on. */
export interface Calibration {
  slope: number
  offset: number
}

/**
 * A network with one hidden layer and a direct connection from each feature to the score. All numbers are in
 * hundredths.
 */
export interface Weights {
  bias: number
  /** Of each hidden unit: its bias and its weight in the score. */
  units: number[][]
  /** Of each feature: its weight in the score, then its weight in each hidden unit. */
  features: Record<string, number[]>
  /** Of each word that is a feature, by its place: its weight in the score. */
  words: Record<string, Record<string, number>>
}

const SCALE = 100
/** The words of a place together raise or lower its score by at most this, so that words alone don't decide. */
export const WORDS_LIMIT = 1
/** Returns what the words of a place add to its score. `sum`: the sum of their weights. */
export const scoreOfWords = (sum: number): number => Math.max(-WORDS_LIMIT, Math.min(WORDS_LIMIT, sum))
/** Slope of a hidden unit below 0. */
export const LEAK = 0.05

interface Model {
  weights: Weights
  calibration: Calibration
}

/** A model that is ready to be used, in the form that is read fastest. */
interface Ready {
  calibration: Calibration
  bias: number
  /** Of each hidden unit: its bias, and its weight in the score. */
  own: readonly number[]
  outputs: readonly number[]
  /** Of each feature: its weight in the score, then, unless it is a word, its weight in each hidden unit. */
  known: ReadonlyMap<string, readonly number[]>
}

const ready = ({ calibration, weights: { bias, units, features, words } }: Model): Ready => ({
  calibration,
  bias,
  own: units.map(([own = 0]) => own),
  outputs: units.map(([, output = 0]) => output / SCALE),
  known: new Map([
    ...Object.entries(features),
    ...Object.entries(words).flatMap(([place, each]) =>
      Object.entries(each).map(([word, weight]): [string, number[]] => [`${WORD}${word} ${place}`, [weight]]),
    ),
  ]),
})
const inForce: Record<Kind, Ready> = { code: ready(trained.code), link: ready(trained.link) }

export const logistic = (x: number): number => 1 / (1 + Math.exp(-x))

/** Returns the score of a place: the logarithm of its odds against "nothing to find". */
function scoreOf(kind: Kind, features: Iterable<string>, without?: string): number {
  const { bias, own, outputs, known } = inForce[kind]
  let sum = bias
  const hidden = own.slice()
  let words = 0
  for (const feature of features) {
    const weights = known.get(feature)
    if (weights === undefined || feature === without) continue
    if (weights.length === 1) words += weights[0] as number
    else sum += weights[0] as number
    for (let i = 1; i < weights.length; i++) hidden[i - 1] = (hidden[i - 1] as number) + (weights[i] as number)
  }
  for (let i = 0; i < hidden.length; i++) {
    const value = hidden[i] as number
    sum += (outputs[i] as number) * (value > 0 ? value : LEAK * value)
  }
  return sum / SCALE + scoreOfWords(words / SCALE)
}

/**
 * Returns the probabilities of places that exclude each other and of "nothing to find", which is what remains up to 1.
 */
export function shares(scores: readonly number[]): number[] {
  const highest = Math.max(0, ...scores)
  const odds = scores.map((score) => Math.exp(score - highest))
  const sum = odds.reduce((total, each) => total + each, Math.exp(-highest))
  return odds.map((each) => each / sum)
}

/** Returns the log-odds of a probability. */
export const logOdds = (share: number): number => Math.log(share + 1e-9) - Math.log(1 - share + 1e-9)

/** Returns the different values of the rows, the most probable first. */
export function rank(kind: Kind, rows: readonly Row[]): Ranked[] {
  const { slope, offset } = inForce[kind].calibration
  const parts = shares(rows.map(({ features }) => scoreOf(kind, features)))
  const found = new Map<string, Row & { share: number; best: number }>()
  for (const [i, row] of rows.entries()) {
    const share = parts[i] ?? 0
    const known = found.get(row.value)
    if (!known) found.set(row.value, { ...row, share, best: share })
    else {
      known.share += share
      if (share > known.best) Object.assign(known, { features: row.features, context: row.context, best: share })
    }
  }
  return [...found.values()]
    .toSorted((a, b) => b.share - a.share)
    .map(({ value, features, context, share }) => ({
      value,
      features,
      context,
      confidence: logistic(slope * logOdds(share) + offset),
    }))
}

/** Returns how a feature is printed: `"kodunuz" before` for a word. */
const named = (feature: string): string =>
  feature.startsWith(WORD) ? feature.slice(WORD.length).replace(/^\S+/u, '"$&"') : feature

/** Returns the features that made the score, the strongest first. */
export function reasonsOf(kind: Kind, features: ReadonlySet<string>): Reason[] {
  const score = scoreOf(kind, features)
  return [...features]
    .map((feature) => ({
      feature: named(feature),
      weight: Math.round((score - scoreOf(kind, features, feature)) * 100) / 100,
    }))
    .filter(({ weight }) => weight !== 0)
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
}

/** Uses another model in this process. For training. */
export function useModel(kind: Kind, model: Model): void {
  inForce[kind] = ready(model)
}
