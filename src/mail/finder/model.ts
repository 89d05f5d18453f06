import trained from './weights.json' with { type: 'json' }

const inForce: Record<Kind, Weights> = { ...trained.weights }
const calibrations: Record<Kind, Calibration> = { ...trained.calibration }

/** Weights of a logistic model, by feature. */
export type Weights = Readonly<Record<string, number>>

/** A feature of a candidate, and how much it adds to the score. */
export interface Reason {
  feature: string
  weight: number
}

export type Kind = 'code' | 'link'

/** Returns the sum of the weights of the features: log-odds. 0 means a probability of one half. */
export function scoreOf(kind: Kind, features: Iterable<string>): number {
  const weights = inForce[kind]
  let sum = weights['bias'] ?? 0
  for (const feature of features) sum += weights[feature] ?? 0
  return sum
}

/** Converts scores to the share of right answers that such scores have in mails that the model was not trained on. */
export interface Calibration {
  slope: number
  offset: number
}

export const logistic = (x: number): number => 1 / (1 + Math.exp(-x))

/** Returns the calibrated probability of a score, 0 to 1. */
export const probability = (kind: Kind, score: number): number =>
  logistic(calibrations[kind].slope * score + calibrations[kind].offset)

/** Returns the features that made the score, the strongest first. */
export function reasonsOf(kind: Kind, features: Iterable<string>): Reason[] {
  const weights = inForce[kind]
  return [...features]
    .map((feature) => ({ feature, weight: weights[feature] ?? 0 }))
    .filter(({ weight }) => weight !== 0)
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
}

/** Uses another calibration in this process. For training. */
export function useCalibration(kind: Kind, calibration: Calibration): void {
  calibrations[kind] = calibration
}

/** Uses other weights in this process. For training. */
export function useWeights(kind: Kind, weights: Weights): void {
  inForce[kind] = weights
}
