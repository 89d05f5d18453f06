import { expect, test } from 'vitest'
import { createDnsCache } from './dns-cache.ts'

const failure = (code: string): Error => Object.assign(new Error(code), { code })

/** A cache over `answers` that lists the names that were looked up. */
function cached(answers: Record<string, unknown>, maxSize = 10_000) {
  let time = 1
  const asked: string[] = []
  const lookUp = createDnsCache(
    async (name, type) => {
      asked.push(`${name} ${type}`)
      const answer = answers[name]
      if (answer instanceof Error) throw answer
      return answer
    },
    { time: 1000, maxSize, now: () => time },
  )
  return { lookUp, asked, pass: (milliseconds: number) => (time += milliseconds) }
}

test('looks up the same records once, also for concurrent callers and another case', async () => {
  const { lookUp, asked } = cached({ 'a.example': [['v=spf1 -all']] })
  const concurrent = await Promise.all([lookUp('a.example', 'TXT'), lookUp('a.example', 'TXT')])
  const later = await lookUp('A.Example', 'TXT')
  for (const records of [...concurrent, later]) expect(records).toEqual([['v=spf1 -all']])
  expect(asked).toEqual(['a.example TXT'])
  await lookUp('a.example', 'MX')
  expect(asked).toEqual(['a.example TXT', 'a.example MX'])
})

test('looks records up again after a time', async () => {
  const { lookUp, asked, pass } = cached({ 'a.example': [] })
  await lookUp('a.example', 'TXT')
  pass(990)
  await lookUp('a.example', 'TXT')
  expect(asked).toHaveLength(1)
  pass(20)
  await lookUp('a.example', 'TXT')
  expect(asked).toHaveLength(2)
})

test.each(['ENOTFOUND', 'ENODATA', 'EBADNAME'])('keeps that there are no records (%s)', async (code) => {
  const { lookUp, asked } = cached({ 'a.example': failure(code) })
  await expect(lookUp('a.example', 'TXT')).rejects.toThrow(code)
  await expect(lookUp('a.example', 'TXT')).rejects.toThrow(code)
  expect(asked).toHaveLength(1)
})

test.each(['ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED'])('does not keep a failure of a name server (%s)', async (code) => {
  const { lookUp, asked } = cached({ 'a.example': failure(code) })
  await expect(lookUp('a.example', 'TXT')).rejects.toThrow(code)
  await expect(lookUp('a.example', 'TXT')).rejects.toThrow(code)
  expect(asked).toHaveLength(2)
})

test('keeps no more than its size', async () => {
  const large = [['x'.repeat(400)]]
  const names = ['a.example', 'b.example', 'c.example']
  const { lookUp, asked } = cached(Object.fromEntries(names.map((name) => [name, large])), 1000)
  for (const name of names) expect(await lookUp(name, 'TXT')).toEqual(large)
  await lookUp('c.example', 'TXT')
  expect(asked).toHaveLength(3)
  await lookUp('a.example', 'TXT')
  expect(asked).toHaveLength(4)
  // Larger than the whole cache.
  const { lookUp: lookUpHuge } = cached({ 'a.example': [['x'.repeat(2000)]] }, 1000)
  expect(await lookUpHuge('a.example', 'TXT')).toEqual([['x'.repeat(2000)]])
})
