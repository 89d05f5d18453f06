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
 * Counts a request for consent against the limits per hour and day, which keep anyone from sending emails to many
 * mailboxes of a domain. A request that sends no email counts too. Otherwise the response would reveal that none was
 * sent. A destination counts at most as often as it can get emails, so that repeated requests for it do not use up the
 * limits of other destinations. Throws `LimitReached`.
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
  // The limits were free above, so only a concurrent request can have reached one.
  for (const { key, limit } of counts) if (!(await jobs.reserve(key, now, limit))) await requireFree()
}
