import type { AskSpamFilter, SpamScore } from '#core/mailbox/checks.ts'

interface SpamFilterOptions {
  /** The URL of an rspamd worker. */
  url: string
  /** Timeout of one check, in milliseconds. */
  timeout: number
  /** Checks that run at the same time. Each holds a message in memory. */
  maxAtOnce: number
}

/** A response usually has about ten kilobytes. */
const RESPONSE_MAX_BYTES = 1024 * 1024
const MAX_RULES = 200
const MAX_TEXT = 300

/** Returns a function that asks rspamd (https://docs.rspamd.com/developers/protocol) for the score of a message. */
export function createSpamFilter({ url, timeout, maxAtOnce }: SpamFilterOptions): AskSpamFilter {
  const endpoint = new URL('checkv2', url.endsWith('/') ? url : `${url}/`)
  let active = 0

  return async (raw, { mailFrom, recipient, helo, clientAddress }) => {
    if (active >= maxAtOnce) return { error: 'Too many messages are being checked for spam. Try again.' }
    active++
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/octet-stream',
          ip: clientAddress,
          ...fields({ from: mailFrom, rcpt: recipient, helo }),
        },
        body: Buffer.from(raw.buffer, raw.byteOffset, raw.length) as Uint8Array<ArrayBuffer>,
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      })
      if (!response.ok) {
        await response.body?.cancel()
        return { error: `The spam filter answered with the status ${response.status}.` }
      }
      return scoreOf(await textOf(response)) ?? { error: 'The answer of the spam filter cannot be understood.' }
    } catch (error) {
      const isLate = (error as Error).name === 'TimeoutError'
      return {
        error: isLate ? `The spam filter took more than ${timeout / 1000} s.` : 'The spam filter cannot be reached.',
      }
    } finally {
      active--
    }
  }
}

/** Header fields of HTTP. A value that is not plain text is left out. */
const fields = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => /^[\x21-\x7e]+$/.test(value)))

/** Returns nothing if the response is too large. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > RESPONSE_MAX_BYTES) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** What rspamd does with a message that is spam (https://docs.rspamd.com/developers/protocol). */
const SPAM = new Set(['add header', 'rewrite subject', 'quarantine', 'discard', 'reject'])

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const textIn = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_TEXT).toWellFormed() : '')

function scoreOf(text: string): SpamScore | undefined {
  const answer = parsed(text)
  const { score, required_score: required, action, symbols } = answer ?? {}
  if (!isNumber(score) || !isNumber(required)) return undefined
  const rules = Object.entries((symbols ?? {}) as Record<string, Record<string, unknown> | null>).map(
    ([name, rule]) => ({
      name: textIn(name),
      score: isNumber(rule?.['score']) ? rule['score'] : 0,
      description: textIn(rule?.['description']),
    }),
  )
  const byWeight = rules.toSorted((a, b) => Math.abs(b.score) - Math.abs(a.score))
  const isSpam = SPAM.has(textIn(action))
  return { score, required, action: textIn(action), isSpam, rules: byWeight.slice(0, MAX_RULES) }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
