import { once } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SealedMessageJson } from '#contract/private-addresses.ts'
import type { SummaryContent } from '#core/mailbox/message.ts'
import { fromUtf8, toBase64Url, toUtf8 } from '#mail/bytes.ts'
import { packBody } from '#mail/sealing/body.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { ApiError } from '../api/api.ts'
import { emptyInbox, type InboxEvent, inboxReducer, type InboxState } from '../hooks/inbox-state.ts'
import { open } from './box.ts'
import { deriveKeys, newSecret } from './keys.ts'
import { createPrivateInbox, type PrivateInbox } from './private-inbox.ts'
import { runJob } from './read-job.ts'

const seal = createSeal()

const NOW = Date.UTC(2026, 2, 1, 12)
const PASS = { spf: 'pass', dkim: 'pass', dmarc: 'pass' } as const
const { keys } = await deriveKeys(newSecret())
const placeOf = (kind: 'body' | 'summary', id: string) => messagePlace(kind, { addressId: 'address', id })
const sealed = (id: string, text: string) =>
  new Uint8Array(seal(keys.publicKey, placeOf('summary', id), fromUtf8(text)))

/** A message as the server stores it. */
interface Stored {
  raw: string
  summary: object | null
  receivedAt?: number
}

let stored: Map<string, Stored>
let calls: string[]
let state: InboxState
let failures: ApiError[]
let inbox: PrivateInbox
let waited: number[]
let problems: (string | null)[]
let opening: number
/** How long the pauses before the next try take. */
let until: Promise<unknown> | undefined

const listed = (id: string, seen = false): SealedMessageJson => {
  const { summary, receivedAt = NOW, raw } = stored.get(id)!
  const box = summary && toBase64Url(sealed(id, JSON.stringify(summary)))
  const at = new Date(receivedAt).toISOString()
  return { id, receivedAt: at, expiresAt: at, size: raw.length, seen, summary: box }
}

beforeEach(() => {
  const serverMessages = new Map<string, Stored>()
  const log: string[] = []
  stored = serverMessages
  calls = log
  failures = []
  waited = []
  problems = []
  opening = 0
  until = undefined
  state = emptyInbox
  inbox = createPrivateInbox({
    id: 'address',
    keys,
    reader: {
      run: (job, place, body) => runJob({ job, keys, place, sealed: body, plain: false }) as Promise<never>,
      close() {},
    },
    api: {
      async messages(_id, before) {
        const ids = [...stored.keys()]
          .toSorted()
          .toReversed()
          .filter((id) => before === undefined || id < before)
        return { messages: ids.slice(0, 2).map((id) => listed(id)), next: ids.length > 2 ? ids[1]! : null }
      },
      deliveries: async () => ({ since: new Date(0).toISOString(), failed: [], deleted: [] }),
      async body(_id, message) {
        log.push(`body ${message}`)
        const failure = failures.shift()
        if (failure) throw failure
        const { raw } = stored.get(message)!
        const envelope = {
          mailFrom: '',
          recipient: 'me@mayfly.test',
          helo: '',
          clientAddress: '',
          tls: false,
          receivedAt: 0,
        }
        return new Uint8Array(seal(keys.publicKey, placeOf('body', message), packBody(envelope, fromUtf8(raw))))
      },
      async keepSummary(_id, message, box) {
        serverMessages.get(message)!.summary = JSON.parse(
          toUtf8(await open(keys, placeOf('summary', message), box)),
        ) as object
        log.push(`keep ${message}`)
        return new Response()
      },
      changes: () => ({
        async mark(message) {
          log.push(`seen ${message}`)
        },
        async removeAll(messages) {
          log.push(`remove ${messages.join()}`)
        },
      }),
    },
    dispatch: (event: InboxEvent) => (state = inboxReducer(state, event)),
    serverNow: () => NOW,
    async wait(milliseconds, retried) {
      waited.push(milliseconds)
      await Promise.race([until, until && once(retried, 'abort')])
    },
    onProblem: (problem) => void problems.push(problem?.code ?? null),
    onOpening: (count) => void (opening = count),
  })
})

const mail = (n: number) => `Subject: mail ${n}\r\n\r\nYour code is ${100_000 + n}\r\n`
const add = (n: number, summary: object | null = { authentication: PASS }, receivedAt = NOW): string => {
  const id = `0${n}`
  stored.set(id, { raw: mail(n), summary, receivedAt })
  return id
}
const shown = () => state.messages.map(({ subject, code }) => [subject, code])
const storedSummary = (id: string) => stored.get(id)!.summary as SummaryContent
const summariesStored = () => calls.filter((call) => call.startsWith('keep')).length

describe('an incoming message', () => {
  test('is read in the browser, and its summary is stored sealed', async () => {
    const id = add(1)
    await inbox.take(listed(id))
    expect(shown()).toEqual([['mail 1', '100001']])
    expect(state.arrived?.code).toBe('100001')
    expect(inbox.textOf(id)).toContain('Your code')
    await expect.poll(summariesStored).toBe(1)
    expect(storedSummary(id)).toMatchObject({ subject: 'mail 1', authentication: PASS })
  })

  test('is not read again if its summary is stored', async () => {
    const id = add(1)
    await inbox.take(listed(id))
    await expect.poll(summariesStored).toBe(1)
    calls.length = 0
    await inbox.take(listed(id, true))
    expect(state.messages[0]).toMatchObject({ subject: 'mail 1', seen: true })
    expect(calls).toEqual([])
  })

  test('is shown before the sender checks are done, and its summary is stored after them', async () => {
    const id = add(1, null)
    await inbox.take(listed(id))
    expect(state.messages[0]?.authentication.dmarc).toBe('pending')
    expect(calls).toEqual(['body 01'])
    stored.get(id)!.summary = { authentication: PASS }
    await inbox.take(listed(id))
    expect(state.messages[0]?.authentication).toEqual(PASS)
    await expect.poll(summariesStored).toBe(1)
    expect(calls).toEqual(['body 01', 'keep 01'])
    expect(storedSummary(id).authentication).toEqual(PASS)
  })

  test('has no DMARC result if its author depends on how bytes are decoded', async () => {
    const id = add(1)
    // Without the parser, only the beginning of the headers is read.
    stored.get(id)!.raw = `X-Filler: ${'x'.repeat(65_536)}\r\nFrom: shop@good.example\r\n\r\nHello\r\n`
    await inbox.take(listed(id))
    expect(state.messages[0]).toMatchObject({
      from: { address: 'shop@good.example' },
      authentication: { ...PASS, dmarc: 'none' },
    })
    await expect.poll(summariesStored).toBe(1)
    expect(storedSummary(id).authentication.dmarc).toBe('none')
  })

  test('is stored without results if the sender checks are missing after a minute', async () => {
    const id = add(1, null, NOW - 60_001)
    await inbox.take(listed(id))
    expect(state.messages[0]?.authentication.dmarc).toBe('temperror')
    await expect.poll(summariesStored).toBe(1)
    expect(storedSummary(id).subject).toBe('mail 1')
  })

  test('is read again if its stored summary does not open', async () => {
    const id = add(1)
    const message = { ...listed(id), summary: toBase64Url(sealed(id, 'x').toReversed()) }
    await inbox.take(message)
    expect(shown()).toEqual([['mail 1', '100001']])
  })

  test('is shown in its latest version', async () => {
    const id = add(1)
    const first = inbox.take(listed(id))
    await Promise.all([first, inbox.take(listed(id, true))])
    expect(state.messages.map(({ seen }) => seen)).toEqual([true])
    expect(calls.filter((call) => call.startsWith('body'))).toHaveLength(1)
  })

  test('is not shown if it was deleted before it was read', async () => {
    const id = add(1)
    const first = inbox.take(listed(id))
    inbox.forget(id)
    await first
    expect(shown()).toEqual([])
  })

  test('is not shown if it was removed here before it was read', async () => {
    const id = add(1)
    const first = inbox.take(listed(id))
    await inbox.removeAll([id], false)
    await first
    expect(shown()).toEqual([])
    expect(calls).toContain(`remove ${id}`)
  })

  test('is fetched again after a temporary failure, but not if it is gone', async () => {
    const [id, gone] = [add(1), add(2)]
    failures = [new ApiError('offline'), new ApiError('too_many_requests', 3), new ApiError('internal')]
    await inbox.take(listed(id))
    expect(shown()).toEqual([['mail 1', '100001']])
    expect(waited).toEqual([5000, 3000, 20_000])
    expect(problems).toEqual(['offline', 'too_many_requests', 'internal', null])
    failures = [new ApiError('message_not_found')]
    await inbox.take(listed(gone))
    expect(shown()).toEqual([['mail 1', '100001']])
    expect(state.deleted).toEqual([gone])
    expect(inbox.isListed(gone)).toBe(false)
  })

  test('that cannot be read is not dropped without a word', async () => {
    const id = add(1)
    failures = [new ApiError('message_damaged')]
    await inbox.take(listed(id))
    expect(problems).toEqual(['message_damaged'])
    expect(inbox.isListed(id)).toBe(true)
    expect(opening).toBe(0)
    inbox.forget(id)
    expect(problems.at(-1)).toBeNull()
  })

  test('is read again when the visitor asks for it', async () => {
    const id = add(1)
    until = new Promise(() => {})
    failures = [new ApiError('message_damaged'), new ApiError('message_damaged')]
    await inbox.take(listed(id))
    await inbox.again(id)
    expect(problems).toEqual(['message_damaged', 'message_damaged'])
    failures = [new ApiError('unavailable'), new ApiError('offline')]
    await inbox.again(id)
    expect([opening, problems.at(-1)]).toEqual([1, 'unavailable'])
    await inbox.again(id)
    expect(problems.at(-1)).toBe('offline')
    await inbox.again(id)
    expect(shown()).toEqual([['mail 1', '100001']])
    expect([opening, problems.at(-1)]).toEqual([0, null])
  })
})

describe('the list', () => {
  test('shows the other messages and loads older batches while one cannot be read yet', async () => {
    for (let n = 1; n <= 3; n++) add(n)
    let answer = (): void => {}
    until = new Promise<void>((resolve) => (answer = resolve))
    failures = [new ApiError('unavailable')]
    await inbox.load()
    await expect.poll(shown).toEqual([['mail 2', '100002']])
    await inbox.load(state.next!)
    await expect.poll(() => shown().map(([subject]) => subject)).toEqual(['mail 2', 'mail 1'])
    expect([problems, opening]).toEqual([['unavailable'], 1])
    answer()
    await expect.poll(() => shown().map(([subject]) => subject)).toEqual(['mail 3', 'mail 2', 'mail 1'])
    expect(problems.at(-1)).toBeNull()
  })

  test('loads in batches without announcing messages', async () => {
    for (let n = 1; n <= 3; n++) add(n)
    await inbox.load()
    expect(shown().map(([subject]) => subject)).toEqual(['mail 3', 'mail 2'])
    expect(state.next).toBe('02')
    await inbox.load(state.next!)
    expect(shown().map(([subject]) => subject)).toEqual(['mail 3', 'mail 2', 'mail 1'])
    expect([state.next, state.arrived]).toEqual([null, null])
  })
})

test('fetches a message once for content, source and attachments', async () => {
  const id = add(1)
  expect(inbox.textOf(id)).toBeUndefined()
  expect((await inbox.content(id, new Map())).text).toContain('100001')
  expect(inbox.textOf(id)).toContain('100001')
  expect(toUtf8(await inbox.source(id))).toBe(mail(1))
  expect(await inbox.attachment(id, 0)).toBeUndefined()
  expect(calls).toEqual(['body 01'])
})
