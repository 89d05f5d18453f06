import { expect, test } from 'vitest'
import { createKeyStretching } from './key-stretching.ts'

test('runs few calls at once, lets few wait, and refuses the others', { tags: ['slow'] }, async () => {
  const stretch = createKeyStretching({ atOnce: 1, maxWaiting: 1 })
  const ended: string[] = []
  const call = async (password: string): Promise<string> => {
    const key = await stretch(password, Buffer.alloc(16))
    ended.push(password)
    return key.toString('hex')
  }
  const [one, two, three] = [call('caf\u00E9'), call('cafe\u0301'), call('three')]
  await expect(three).rejects.toMatchObject({ code: 'unavailable' })
  // One password, encoded in two ways.
  expect(await one).toBe(await two)
  expect(ended).toEqual(['caf\u00E9', 'cafe\u0301'])
  expect(await call('four')).toHaveLength(64)
})
