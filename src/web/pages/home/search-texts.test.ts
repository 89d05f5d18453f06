import { expect, test } from 'vitest'
import type { MessageListJson, MessageSummaryJson } from '#contract/messages.ts'
import { textPattern } from '#mail/text-pattern.ts'
import { createTextSearch, type TextQuery } from './search-texts.ts'

const message = (id: string, subject: string) =>
  ({
    id,
    from: { name: '', address: '' },
    subject,
    preview: '',
    attachments: [],
    candidates: [],
  }) as unknown as MessageSummaryJson

/** Texts by id. A page has one message that was searched, so it may be empty. */
function stage(texts: Record<string, string>) {
  const asked: Record<string, string>[] = []
  const search = createTextSearch(async (query, signal): Promise<MessageListJson> => {
    signal.throwIfAborted()
    asked.push(query)
    const { body = '', before = 'z', after = '' } = query
    const all = Object.keys(texts)
      .toSorted()
      .toReversed()
      .filter((id) => id < before && id > after)
    const [id] = all
    if (id === undefined) return { messages: [], next: null }
    const messages = textPattern(body)(texts[id] as string) ? [message(id, '')] : []
    return { messages, next: all.length > 1 ? id : null }
  })
  const listed = (): MessageSummaryJson[] =>
    Object.keys(texts)
      .toSorted()
      .toReversed()
      .map((id) => message(id, `Row ${id}`))
  const run = (words: string[], rest: Partial<TextQuery> = {}, signal = new AbortController().signal) =>
    search.run(() => ({ words, kinds: new Set(), messages: listed(), next: null, ...rest }), { signal, onFound() {} })
  const found = (word: string): string[] => Object.keys(texts).filter((id) => search.has(id, word))
  return { asked, run, found, texts }
}

test('finds words in all pages, and asks once', async () => {
  const { asked, run, found } = stage({ a: 'deep word', b: 'nothing', c: 'Word' })
  await run(['WORD'])
  expect(found('WORD')).toEqual(['a', 'c'])
  expect(asked).toHaveLength(3)
  await run(['WORD'])
  expect(asked).toHaveLength(3)
})

test('searches only new messages again', async () => {
  const { asked, run, found, texts } = stage({ a: 'word', b: '' })
  await run(['WORD'])
  asked.length = 0
  texts.c = 'word'
  texts.d = ''
  await run(['WORD'])
  expect(asked.map(({ after }) => after)).toEqual(['b', 'b'])
  expect(found('WORD')).toEqual(['a', 'c'])
})

test('does not ask for a word that all rows have, or that makes no difference', async () => {
  const { asked, run } = stage({ a: 'word', b: '' })
  await run(['ROW'])
  expect(asked).toEqual([])
  await run(['ROW', 'NOWHERE', 'WORD'])
  expect(new Set(asked.map(({ body }) => body?.includes('N')))).toEqual(new Set([true]))
  await run(['ROW'], { next: 'a' })
  expect(asked.length).toBeGreaterThan(2)
})

test('continues where it was stopped', async () => {
  const { asked, run, found } = stage({ a: 'word', b: 'word', c: '' })
  const stopped = new AbortController()
  const kinds = new Set<never>()
  let reads = 0
  const stopping = run(
    ['WORD'],
    {
      get kinds() {
        if (++reads === 1) queueMicrotask(() => stopped.abort())
        return kinds
      },
    },
    stopped.signal,
  )
  await expect(stopping).rejects.toThrow()
  const before = asked.length
  expect(before).toBeLessThan(3)
  await run(['WORD'])
  expect(asked).toHaveLength(3)
  expect(found('WORD')).toEqual(['a', 'b'])
})
