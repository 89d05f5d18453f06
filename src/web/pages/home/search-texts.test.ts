import { expect, test } from 'vitest'
import type { MessageListJson, MessageSummaryJson } from '#contract/messages.ts'
import { hasWord, searchWords } from '#core/text.ts'
import { createTextSearch } from './search-texts.ts'

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
function stage(texts: Record<string, string>, onFound = (): void => {}) {
  const asked: Record<string, string>[] = []
  const search = createTextSearch(async (query, signal): Promise<MessageListJson> => {
    signal.throwIfAborted()
    asked.push(query)
    const { words = '', before = 'z', after = '' } = query
    const all = Object.keys(texts)
      .toSorted()
      .toReversed()
      .filter((id) => id < before && id > after)
    const [id] = all
    if (id === undefined) return { messages: [], next: null }
    const isFound = searchWords(words).every(hasWord(`Row ${id}`, texts[id] as string))
    const messages = isFound ? [message(id, '')] : []
    return { messages, next: all.length > 1 ? id : null }
  })
  const listed = (): MessageSummaryJson[] =>
    Object.keys(texts)
      .toSorted()
      .toReversed()
      .map((id) => message(id, `Row ${id}`))
  const run = (words: string[], { next = null as string | null, signal = new AbortController().signal } = {}) =>
    search.run(words, { messages: listed(), next }, { signal, onFound: () => onFound() })
  const found = (...words: string[]): string[] => Object.keys(texts).filter((id) => search.has(id, words))
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

test('does not ask if all rows have the words', async () => {
  const { asked, run, found } = stage({ a: 'word', b: '' })
  await run(['ROW'])
  expect(asked).toEqual([])
  await run(['ROW', 'WORD'])
  expect(found('ROW', 'WORD')).toEqual(['a'])
  asked.length = 0
  await run(['ROW'], { next: 'a' })
  expect(asked).toHaveLength(2)
})

test('continues where it was stopped', async () => {
  const stopped = new AbortController()
  const { asked, run, found } = stage({ a: 'word', b: 'word', c: 'word' }, () => stopped.abort())
  await expect(run(['WORD'], { signal: stopped.signal })).rejects.toThrow()
  expect(asked).toHaveLength(1)
  await run(['WORD'])
  expect(asked).toHaveLength(3)
  expect(found('WORD')).toEqual(['a', 'b', 'c'])
})
