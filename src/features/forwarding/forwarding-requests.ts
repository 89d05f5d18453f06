import { LimitReached } from '#core/errors.ts'
import type { ForwardingJobStore, ForwardingLimits } from '#core/forwarding/forwarding.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { confirmationsKey, requestsKey } from './forwarding-destination.ts'

/** Limits of the confirmation emails to one domain and in all. */
export type AskLimits = Record<'domain' | 'all', { perHour: number; perDay: number }>

interface CountDeps {
  jobs: Pick<ForwardingJobStore, 'reserve' | 'freeAt'>
  wrap: Pick<Wrap, 'hash'>
  limits: Pick<ForwardingLimits, 'asksPerDay'>
}

/**
 * Counts a confirmation email against the limits of this hour and day, so that nobody can make the service write to many
 * mailboxes of a domain. A request that sends no email is counted, because the difference would reveal it. But a
 * destination counts at most as often as it can get emails. Otherwise repeated requests for one would use up the limits
 * of all others. Throws `LimitReached`.
 */
export async function countRequest(
  { jobs, wrap, limits: { asksPerDay } }: CountDeps,
  { domain, all }: AskLimits,
  destination: string,
  now: number,
): Promise<void> {
  const counts = [
    { key: confirmationsKey(wrap, ''), limit: all },
    { key: confirmationsKey(wrap, destination), limit: domain },
  ]
  const requireFree = async (): Promise<void> => {
    const until = Math.max(...(await Promise.all(counts.map(({ key, limit }) => jobs.freeAt(key, now, limit)))))
    if (until > now) throw new LimitReached('Too many destinations were asked for consent', until)
  }
  await requireFree()
  if (!(await jobs.reserve(requestsKey(wrap, destination), now, { perHour: asksPerDay, perDay: asksPerDay }))) return
  // Only a concurrent request can have been the last one.
  for (const { key, limit } of counts) if (!(await jobs.reserve(key, now, limit))) await requireFree()
}
