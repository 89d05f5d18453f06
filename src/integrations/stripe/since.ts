import type { Stripe } from 'stripe'
import { DAY } from '#core/time.ts'
import { type Ask, each } from './client.ts'
import { EVENTS, subjectOf } from './payment-event.ts'

/** How long Stripe keeps events. */
const EVENTS_KEPT = 30 * DAY

/**
 * Yields each subject that changed since a time (milliseconds since the epoch) once. Reads Stripe's events, and lists
 * all subscriptions for the time before the oldest event.
 */
export async function* subjectsSince(stripe: Stripe, ask: Ask, since: number, now: number): AsyncIterable<string> {
  const seen = new Set<string>()
  if (since < now - EVENTS_KEPT) {
    const subscriptions = stripe.subscriptions.list({ status: 'all', limit: 100 })
    for await (const { id } of each(ask, subscriptions)) yield `subscription:${id}`
  }
  const created = { gte: Math.floor(Math.max(since, now - EVENTS_KEPT) / 1000) }
  const events = stripe.events.list({ created, types: [...EVENTS], limit: 100 })
  for await (const event of each(ask, events)) {
    const subject = subjectOf(event)
    if (subject === undefined || seen.has(subject)) continue
    seen.add(subject)
    yield subject
  }
}
