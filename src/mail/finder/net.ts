import { LEAK, scoreOfWords, shares, type Weights, WORDS_LIMIT } from './model.ts'
import { WORD } from './near-words.ts'

/** One way to read a training message: its candidates, with their features and whether each is right. */
export interface Reading {
  places: { features: number[]; right: boolean }[]
  weight: number
}

const HIDDEN = 13
/** Networks that start with different random weights. Their mean varies less between trainings than each of them. */
const NETWORKS = 2
const EPOCHS = 18
/** Share of the features that are left out each time, so that no single one decides. */
const DROPPED = 0.1
const BATCH = 32
/** Smaller errors are ignored. */
const SMALL = 1e-4
const RATE = 0.004
/** How much weights shrink in each step, relative to the rate. */
const DECAY = { input: 0.14, output: 0.07, direct: 0.07 }
/** How much the weights of words shrink toward 0, relative to the rate. Those of most words become 0. */
const SPARSE = 0.05
/** In hundredths. Words with a smaller weight are left out. That is most of them, and scores hardly change. */
const MIN_WORD = 5
const [MOMENTUM, SQUARES, EPSILON] = [0.9, 0.999, 1e-6]

/** Returns a generator of pseudo-random numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Numbers that are learned, with the state of Adam: gradient, mean and mean square. */
class Values {
  readonly now: Float32Array
  readonly gradient: Float32Array
  readonly #mean: Float32Array
  readonly #square: Float32Array
  readonly #decay: number
  readonly #sparse: number

  /** `decay` shrinks numbers in proportion to their size, `sparse` all alike until they are 0. */
  constructor(size: number, { decay = 0, sparse = 0 }, first: (i: number) => number) {
    this.now = Float32Array.from({ length: size }, (_, i) => first(i))
    this.gradient = new Float32Array(size)
    this.#mean = new Float32Array(size)
    this.#square = new Float32Array(size)
    this.#decay = decay
    this.#sparse = sparse
  }

  step(rate: number, count: number): void {
    const { now, gradient } = this
    const mean = this.#mean
    const square = this.#square
    const [first, second] = [1 - MOMENTUM ** count, 1 - SQUARES ** count]
    for (let i = 0; i < now.length; i++) {
      const g = gradient[i] as number
      const m = (mean[i] = MOMENTUM * (mean[i] as number) + (1 - MOMENTUM) * g)
      const s = (square[i] = SQUARES * (square[i] as number) + (1 - SQUARES) * g * g)
      const value = now[i] as number
      const next = value - rate * (m / first / (Math.sqrt(s / second) + EPSILON) + this.#decay * value)
      now[i] = Math.sign(next) * Math.max(0, Math.abs(next) - rate * this.#sparse)
      gradient[i] = 0
    }
  }
}

/** A network while it is trained. The score of a place is the logarithm of its odds against "nothing to find". */
class Network {
  readonly bias = new Values(1, {}, () => -2)
  readonly direct: Values
  readonly input: Values
  readonly own = new Values(HIDDEN, {}, () => 0)
  readonly output: Values
  readonly words: Values
  readonly #size: number
  readonly #inner = new Float32Array(HIDDEN)
  #steps = 0

  /** `size`: the number of features that are not words. The words follow them. */
  constructor(size: number, words: number, random: () => number) {
    this.#size = size
    this.input = new Values(size * HIDDEN, { decay: DECAY.input }, () => (random() - 0.5) * 0.3)
    this.output = new Values(HIDDEN, { decay: DECAY.output }, () => (random() - 0.5) * 0.6)
    this.direct = new Values(size, { decay: DECAY.direct }, () => 0)
    this.words = new Values(words, { sparse: SPARSE }, () => 0)
  }

  /** Returns the sum of the weights of the words of a place. */
  #sumOfWords(features: readonly number[]): number {
    let sum = 0
    for (let j = 0; j < features.length; j++) {
      const word = (features[j] as number) - this.#size
      if (word >= 0) sum += this.words.now[word] as number
    }
    return sum
  }

  /** Returns the score of a place. `hidden`: where the values of the hidden units are written to, from `at` on. */
  score(features: readonly number[], hidden: Float32Array, at: number): number {
    const { direct, input, own, output, bias } = this
    const weights = direct.now
    const inputs = input.now
    let sum = bias.now[0] as number
    for (let k = 0; k < HIDDEN; k++) hidden[at + k] = own.now[k] as number
    for (let j = 0; j < features.length; j++) {
      const feature = features[j] as number
      if (feature >= this.#size) continue
      sum += weights[feature] as number
      const from = feature * HIDDEN
      for (let k = 0; k < HIDDEN; k++) hidden[at + k] = (hidden[at + k] as number) + (inputs[from + k] as number)
    }
    for (let k = 0; k < HIDDEN; k++) {
      const value = hidden[at + k] as number
      sum += (output.now[k] as number) * (value > 0 ? value : LEAK * value)
    }
    return sum + scoreOfWords(this.#sumOfWords(features))
  }

  /** Adds to the gradients so that the score of a place falls by `error`. `score` wrote `hidden`. */
  learn(features: readonly number[], error: number, hidden: Float32Array, at: number): void {
    const { direct, input, own, output, bias } = this
    const inner = this.#inner
    bias.gradient[0] = (bias.gradient[0] as number) + error
    for (let k = 0; k < HIDDEN; k++) {
      const value = hidden[at + k] as number
      const slope = value > 0 ? 1 : LEAK
      inner[k] = error * (output.now[k] as number) * slope
      output.gradient[k] = (output.gradient[k] as number) + error * slope * value
      own.gradient[k] = (own.gradient[k] as number) + (inner[k] as number)
    }
    const weights = direct.gradient
    const inputs = input.gradient
    const words = this.words.gradient
    const learnsWords = Math.abs(this.#sumOfWords(features)) < WORDS_LIMIT
    for (let j = 0; j < features.length; j++) {
      const feature = features[j] as number
      if (feature >= this.#size) {
        if (learnsWords) words[feature - this.#size] = (words[feature - this.#size] as number) + error
        continue
      }
      weights[feature] = (weights[feature] as number) + error
      const from = feature * HIDDEN
      for (let k = 0; k < HIDDEN; k++) inputs[from + k] = (inputs[from + k] as number) + (inner[k] as number)
    }
  }

  step(rate: number): void {
    this.#steps++
    for (const values of [this.bias, this.direct, this.input, this.own, this.output, this.words])
      values.step(rate, this.#steps)
  }
}

function shuffle<T>(list: T[], random: () => number): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[list[i], list[j]] = [list[j] as T, list[i] as T]
  }
}

/** Leaves some features out, the same ones for all places of a reading. */
class Dropout {
  /** Of each feature: the last reading for which it was drawn, negative if it was dropped. */
  readonly #drawn: Int32Array
  readonly #random: () => number
  #reading = 0

  constructor(size: number, random: () => number) {
    this.#drawn = new Int32Array(size)
    this.#random = random
  }

  apply(places: Reading['places']): number[][] {
    const reading = ++this.#reading
    const drawn = this.#drawn
    return places.map(({ features }) =>
      features.filter((feature) => {
        const last = drawn[feature] as number
        if (last !== reading && last !== -reading) drawn[feature] = this.#random() >= DROPPED ? reading : -reading
        return (drawn[feature] as number) > 0
      }),
    )
  }
}

/** Learns which places are right, by their shares among all places of the reading. Deterministic. */
function trainNetwork(readings: readonly Reading[], size: number, words: number, seed: number): Network {
  const random = randomFrom(seed)
  const network = new Network(size, words, random)
  const dropout = new Dropout(size + words, random)
  const order = [...readings]
  const most = Math.max(0, ...readings.map(({ places }) => places.length))
  const hidden = new Float32Array(most * HIDDEN)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random)
    const rate = RATE * (1 - 0.9 * (epoch / EPOCHS))
    for (let from = 0; from < order.length; from += BATCH) {
      const batch = order.slice(from, from + BATCH)
      for (const { places, weight } of batch) {
        const kept = dropout.apply(places)
        const parts = shares(kept.map((features, i) => network.score(features, hidden, i * HIDDEN)))
        const right = parts.reduce((sum, part, i) => (places[i]?.right ? sum + part : sum), 0)
        for (let i = 0; i < kept.length; i++) {
          const part = parts[i] ?? 0
          const error = part - (places[i]?.right && right > 0 ? part / right : 0)
          if (Math.abs(error) > SMALL)
            network.learn(kept[i] as number[], (error * weight) / batch.length, hidden, i * HIDDEN)
        }
      }
      network.step(rate)
    }
  }
  return network
}

const hundredths = (value: number): number => Math.round(value * 100) || 0

/** Returns the mean of some networks as one network. `names`: the names of the features, those that are words last. */
export function trainWeights(readings: readonly Reading[], names: readonly string[]): Weights {
  const first = names.findIndex((name) => name.startsWith(WORD))
  const size = first < 0 ? names.length : first
  const networks = Array.from({ length: NETWORKS }, (_, i) => trainNetwork(readings, size, names.length - size, i + 1))
  const mean = (of: (network: Network) => number): number =>
    hundredths(networks.reduce((sum, network) => sum + of(network), 0) / NETWORKS)
  const each = <T>(of: (network: Network, k: number) => T): T[] =>
    networks.flatMap((network) => Array.from({ length: HIDDEN }, (_, k) => of(network, k)))
  return {
    bias: mean(({ bias }) => bias.now[0] ?? 0),
    units: each(({ own, output }, k) => [hundredths(own.now[k] ?? 0), hundredths((output.now[k] ?? 0) / NETWORKS)]),
    features: Object.fromEntries(
      names
        .slice(0, size)
        .map((name, feature) => [
          name,
          [
            mean(({ direct }) => direct.now[feature] ?? 0),
            ...each(({ input }, k) => hundredths(input.now[feature * HIDDEN + k] ?? 0)),
          ],
        ]),
    ),
    words: byPlace(
      names
        .slice(size)
        .map((name, i): [string, number] => [name, mean(({ words }) => words.now[i] ?? 0)])
        .filter(([, weight]) => Math.abs(weight) >= MIN_WORD),
    ),
  }
}

/** Groups the weights of words by their places. */
function byPlace(words: readonly [string, number][]): Weights['words'] {
  const places: Weights['words'] = {}
  for (const [name, weight] of words) {
    const end = name.indexOf(' ')
    ;(places[name.slice(end + 1)] ??= {})[name.slice(WORD.length, end)] = weight
  }
  return places
}
