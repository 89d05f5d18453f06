import { candidatesOf, findCodeAndLink } from '../finder/finder.ts'
import { reasonsOf } from '../finder/model.ts'
import { senderOf } from './author.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'
import { finderInputOf } from './summarize.ts'
import { useStandardDecoders } from './text-decoder.ts'

/** Candidates of each kind, and reasons of each candidate, that are printed. */
const CANDIDATES = 5
const REASONS = 12

const signed = (weight: number): string => `${weight < 0 ? '' : '+'}${weight.toFixed(2)}`

/** Returns, as lines of text, the code and link that are found in a raw message, the candidates and their reasons. */
export async function explain(raw: Uint8Array): Promise<string[]> {
  useStandardDecoders()
  const mail = await parseMail(raw, defaultParseLimits)
  const input = finderInputOf(mail, senderOf(mail, { mailFrom: '' }))
  const { code, link } = findCodeAndLink(input)
  const candidates = candidatesOf(input)
  const lines = [`Code: ${code ?? 'none'}`, `Link: ${link ?? 'none'}`]
  for (const kind of ['code', 'link'] as const) {
    const found = candidates[kind]
    if (found.length === 0) continue
    const rest = found.length > CANDIDATES ? `, the best ${CANDIDATES} of ${found.length}` : ''
    lines.push('', `Candidates for the ${kind}${rest}:`)
    for (const { value, confidence, context, features } of found.slice(0, CANDIDATES)) {
      lines.push(`  ${value}`, `    confidence ${(confidence * 100).toFixed(1)} %, in "${context.slice(0, 120)}"`)
      const reasons = reasonsOf(kind, features).slice(0, REASONS)
      lines.push(`    ${reasons.map(({ feature, weight }) => `${signed(weight)} ${feature}`).join('; ')}`)
    }
  }
  return lines
}
