import type { Delivery, DeliveryResult } from '#core/mailbox/delivery.ts'
import { MINUTE, SECOND } from '#core/time.ts'
import type { UnmetMessage, WaitResult } from './message-search.ts'

/** An address that expires within this time is mentioned. */
const SOON = 5 * MINUTE
const NAMED_MAX = 3

export interface EndedWait extends WaitResult {
  /** Attempts in the same time that left no message, newest first. */
  refused: readonly Delivery[]
  count: number
  expiresAt: number
  now: number
}

/** Explains in English why a wait ended without enough messages. */
export function explainWait({ messages, next, unmet, refused, seconds, count, expiresAt, now }: EndedWait): string {
  const found = count > 1 ? `${messages.length} of ${count} matching messages` : 'No matching message'
  const sentences = [`${found} arrived within ${seconds} s.`]
  if (unmet.length > 0) sentences.push(describe(unmet))
  else if (messages.length === 0) sentences.push('The inbox has no other messages in this range.')
  if (next !== null) sentences.push('Older messages were not searched; pass `next` as `before` to search them.')
  sentences.push(...refused.slice(0, NAMED_MAX).map(describeAttempt))
  if (refused.length > NAMED_MAX) sentences.push(`${refused.length - NAMED_MAX} more were not accepted.`)
  const left = expiresAt - now
  if (left < SOON) sentences.push(`The address expires in ${Math.max(0, Math.round(left / SECOND))} s.`)
  return sentences.join(' ')
}

function describe(unmet: readonly UnmetMessage[]): string {
  const named = unmet
    .slice(0, NAMED_MAX)
    .map(({ subject, from, unmet: conditions }) => {
      const names = conditions.map((name) => `\`${name}\``).join(', ')
      return `${JSON.stringify(subject)} from ${from.address} does not match ${names}`
    })
    .join('; ')
  const more = unmet.length > NAMED_MAX ? `; and ${unmet.length - NAMED_MAX} more` : ''
  return `There are other messages: ${named}${more}.`
}

const OUTCOMES: Partial<Record<DeliveryResult, string>> = {
  full: 'was deferred',
  deferred: 'was deferred',
  interrupted: 'was interrupted',
  unsent: 'was announced but not sent',
}

function describeAttempt({ count, result, reply, senderDomain, server }: Delivery): string {
  const sender = senderDomain ?? server?.name ?? 'an unknown sender'
  const said = reply === null ? '' : ` with \`${reply}\``
  const times = count === 1 ? '' : ` (${count} times)`
  return `An email from ${sender} ${OUTCOMES[result] ?? 'was refused'}${said}${times}.`
}
