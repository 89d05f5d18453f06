import { MayflyError } from '#core/errors.ts'
import type { Clock } from '#core/time.ts'
import { parseMailQuery, zonedTime } from '#features/compat/index.ts'
import { type ListedMessage, type Messages, type OpenAddress, TEXTS_TIME } from '#features/mailbox/index.ts'
import { NEWEST_MAX } from '../shared.ts'

export interface Found {
  /** The newest messages of the mailbox, newest first. */
  all: ListedMessage[]
  /** The messages that match. */
  matching: ListedMessage[]
}

interface SearchRequest {
  query: string
  tz?: string | undefined
  /** A date: only messages from before it. */
  before?: string
  /** Aborts when nobody waits for the result any longer. */
  signal: AbortSignal
}

/**
 * A search of a mailbox. An empty query matches all messages, without opening any. Each method throws `invalid_request`
 * if the texts take too long, because the client could not tell a part of the result from all of it.
 */
export interface MailSearch {
  find(): Promise<Found>
  /** Returns the newest match. */
  newest(): Promise<ListedMessage | undefined>
  /** Returns the ids of all matches that are `wanted`, also beyond the newest messages. */
  allIds(wanted?: (listed: ListedMessage) => boolean): Promise<string[]>
}

type SearchMail = (open: OpenAddress, request: SearchRequest) => MailSearch

const TOO_LONG = 'This search takes too long for so many messages. Limit them, for example with `after:` or `subject:`'

export function createMailSearch(messages: Pick<Messages, 'newest' | 'contains'>, clock: Clock): SearchMail {
  return (open, { query, tz, before: until = '', signal }) => {
    const parsed = query.trim() === '' ? undefined : parseMailQuery(query, tz)
    const end = until.trim() === '' ? Infinity : zonedTime(until, tz)
    const deadline = clock() + TEXTS_TIME

    async function matches({ id, summary }: ListedMessage): Promise<boolean> {
      if (!parsed && end === Infinity) return true
      if (signal.aborted) throw new MayflyError('invalid_request', TOO_LONG)
      const shown = await summary()
      const bodyContains = (wanted: readonly string[]): Promise<boolean[]> => {
        if (clock() >= deadline) throw new MayflyError('invalid_request', TOO_LONG)
        return messages.contains(open, id, wanted)
      }
      if (!shown || shown.receivedAt >= end) return false
      return !parsed || parsed.matches(shown, bodyContains)
    }

    function page(before?: string): Promise<ListedMessage[]> {
      if (signal.aborted) throw new MayflyError('invalid_request', TOO_LONG)
      return messages.newest(open, NEWEST_MAX, before)
    }

    async function matchesIn(listed: readonly ListedMessage[]): Promise<ListedMessage[]> {
      const matching: ListedMessage[] = []
      for (const each of listed) if (await matches(each)) matching.push(each)
      return matching
    }

    return {
      async find() {
        const all = await page()
        return { all, matching: await matchesIn(all) }
      },

      async newest() {
        for (const each of await page()) if (await matches(each)) return each
        return undefined
      },

      async allIds(wanted = () => true) {
        const ids: string[] = []
        let before: string | undefined
        for (;;) {
          const listed = await page(before)
          ids.push(...(await matchesIn(listed.filter(wanted))).map(({ id }) => id))
          if (listed.length < NEWEST_MAX) return ids
          before = listed.at(-1)?.id
        }
      },
    }
  }
}
