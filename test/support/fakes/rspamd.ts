import { type FakeServer, serve } from './server.ts'

export type FakeRspamd = FakeServer

/** A worker of rspamd that finds spam in messages that promise money (https://docs.rspamd.com/developers/protocol). */
export const startFakeRspamd = (): Promise<FakeRspamd> =>
  serve(/^\/checkv2$/, ({ method, body }) => {
    if (method !== 'POST') return { status: 404, json: { error: 'invalid command' } }
    const symbols = {
      MISSING_DATE: rule('MISSING_DATE', 4.5, 'There is no date', !/^date:/im.test(body)),
      SPAMMY_SUBJECT: rule('SPAMMY_SUBJECT', 12, 'The subject promises money', /^subject:.*money/im.test(body)),
    }
    const found = Object.entries(symbols).filter(([, each]) => each !== undefined)
    const score = found.reduce((sum, [, each]) => sum + (each?.score ?? 0), 0)
    const action = score >= 15 ? 'reject' : score >= 6 ? 'add header' : 'no action'
    return {
      json: {
        is_skipped: false,
        score,
        required_score: 15,
        action,
        symbols: Object.fromEntries(found),
        time_real: 0.1,
      },
    }
  })

const rule = (name: string, score: number, description: string, matches: boolean) =>
  matches ? { name, score, metric_score: score, description } : undefined
