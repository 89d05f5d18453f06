import { expect, test } from 'vitest'
import { newestFirst } from './newest-first.ts'

test('runs jobs one by one, the newest first, with pauses after a burst', async () => {
  const done: string[] = []
  const enqueue = newestFirst({
    burst: 2,
    pause: 500,
    wait: async (milliseconds) => void done.push(`wait ${milliseconds}`),
  })
  const first = Promise.withResolvers<void>()
  const add = (name: string, until?: Promise<void>) =>
    enqueue(name, async () => {
      await until
      done.push(name)
      return name
    })
  const all = [add('04', first.promise), add('02'), add('06')]
  all.push(add('05'))
  first.resolve()
  await all[0]
  all.push(add('07'))
  expect(await Promise.all(all)).toEqual(['04', '02', '06', '05', '07'])
  expect(done).toEqual(['04', '07', 'wait 500', '06', 'wait 500', '05', 'wait 500', '02'])
  // The pauses start over once the queue was empty.
  await add('08')
  expect(done.at(-1)).toBe('08')
  expect(done.filter((each) => each.startsWith('wait'))).toHaveLength(3)
})

test('rejects for a failed job and continues with the next one', async () => {
  const enqueue = newestFirst({ burst: 9, pause: 0, wait: async () => {} })
  const failed = enqueue('2', () => Promise.reject(new Error('no')))
  const next = enqueue('1', async () => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
