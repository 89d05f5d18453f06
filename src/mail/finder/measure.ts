import { type Case, corpus, isSample, type Part } from './corpus.ts'
import { candidatesOf, findCodeAndLink, type Found } from './finder.ts'
import { type Kind, logistic, logOdds, reasonsOf } from './model.ts'
import { examplesOf, fitCalibration, hashOf, lessons, trainAll, trialsOf, writeWeights } from './train.ts'

interface Figures {
  /** Mails with something to find. */
  wanted: number
  right: number
  missed: number
  /** Mails in which a wrong value was found, or a value although there is none. */
  wrong: number
  /** right / (right + wrong) */
  precision: number
  /** right / wanted */
  recall: number
  failures: Case[]
}

/** Returns a function like `findCodeAndLink` that searches each message only once. */
export function searchOnce(): (mail: Case) => Found {
  const known = new Map<Case, Found>()
  return (mail) => {
    const found = known.get(mail) ?? findCodeAndLink(mail)
    known.set(mail, found)
    return found
  }
}

/** Compares what is found of one kind with what is expected. */
export function measure(cases: readonly Case[], kind: Kind, find: (mail: Case) => Found = findCodeAndLink): Figures {
  const figures = { wanted: 0, right: 0, missed: 0, wrong: 0, failures: [] as Case[] }
  for (const mail of cases) {
    const wanted = mail.expect[kind]
    const found = find(mail)[kind]
    if (wanted !== null) figures.wanted++
    if (found === wanted) {
      if (wanted !== null) figures.right++
      continue
    }
    figures[found === null ? 'missed' : 'wrong']++
    figures.failures.push(mail)
  }
  const { right, wrong, wanted } = figures
  return { ...figures, precision: right / Math.max(1, right + wrong), recall: right / Math.max(1, wanted) }
}

/** Upper ends of the bands of confidence. */
const BANDS = [0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 1]

/** Returns for each band of confidence how many best candidates fall into it and how many of them are right. */
function calibration(cases: readonly Case[], kind: Kind): { from: number; to: number; count: number; right: number }[] {
  const bands = BANDS.map((to, i) => ({ from: BANDS[i - 1] ?? 0, to, count: 0, right: 0 }))
  for (const mail of cases) {
    const [best] = candidatesOf(mail)[kind]
    const band = best && bands.find(({ to }) => best.confidence <= to)
    if (!band) continue
    band.count++
    if (best.value === mail.expect[kind]) band.right++
  }
  return bands
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

function explain(mail: Case, kind: Kind): void {
  console.log(`  ${mail.language}: ${mail.name}: expected ${mail.expect[kind] ?? 'nothing'}`)
  for (const { value, confidence, context, features } of candidatesOf(mail)[kind].slice(0, 2)) {
    const reasons = reasonsOf(kind, features).slice(0, 8)
    console.log(`    ${confidence.toFixed(3)} ${value.slice(0, 80)} in ${JSON.stringify(context.slice(0, 100))}`)
    console.log(`      ${reasons.map(({ feature, weight }) => `${feature} ${weight}`).join(', ')}`)
  }
}

function print(part: Part, failures: boolean): void {
  const cases = corpus(part)
  const nothing = cases.filter(({ expect }) => expect.code === null && expect.link === null).length
  const languages = new Set(cases.map(({ language }) => language)).size
  console.log(`${part}: ${cases.length} mails in ${languages} languages, ${nothing} of them with nothing to find`)
  for (const kind of ['code', 'link'] as const) {
    const { precision, recall, right, wanted, missed, wrong, failures: failed } = measure(cases, kind)
    console.log(
      `  ${kind}: precision ${percent(precision)}, recall ${percent(recall)} (${right} of ${wanted} right, ${missed} missed, ${wrong} wrong)`,
    )
    const bands = calibration(cases, kind).filter(({ count }) => count > 0)
    for (const { from, to, count, right: hits } of bands)
      console.log(`    confidence ${from} to ${to}: ${hits} of ${count} right (${percent(hits / count)})`)
    if (failures) for (const mail of failed) explain(mail, kind)
  }
}

/** Trains, writes the weights, and prints what cross-validation says of several thresholds. */
function retrain(): void {
  const mails = lessons()
  const examples = examplesOf(mails)
  const trials = trialsOf(examples)
  const calibrated = { code: fitCalibration(trials.code), link: fitCalibration(trials.link) }
  for (const kind of ['code', 'link'] as const) {
    const { slope, offset } = calibrated[kind]
    const asked = mails.filter(isSample)
    const wanted = 2 * asked.filter((mail) => mail.expect[kind] !== null).length
    console.log(`cross-validation: ${kind}, ${wanted} of the mails of independent writers have one`)
    for (const threshold of [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.88, 0.9, 0.92, 0.94, 0.96]) {
      const answers = trials[kind].filter(
        ({ confidence }) => logistic(slope * logOdds(confidence) + offset) >= threshold,
      )
      const right = answers.filter((trial) => trial.right).length
      console.log(
        `  above ${threshold}: precision ${percent(right / answers.length)}, recall ${percent(right / wanted)}`,
      )
    }
  }
  writeWeights(trainAll(examples, calibrated), calibrated, hashOf(mails))
}

if (import.meta.main) {
  if (process.argv.includes('--train')) retrain()
  for (const part of ['tuning', 'measured'] as const) print(part, process.argv.includes(`--failures=${part}`))
}
