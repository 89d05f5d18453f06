import { describe, expect, test } from 'vitest'
import { grouped, groupedLookUp } from './group-commit.ts'

function recorder() {
  const groups: number[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const run = async (items: number[]): Promise<number[]> => {
    groups.push(items)
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    await gate.promise
    return items.map((item) => item * 10)
  }
  const started = async (count: number): Promise<void> => {
    while (gates.length < count) await new Promise(setImmediate)
  }
  return { groups, gates, run, started }
}

describe('group commit', () => {
  test('runs waiting items together, and gives each item its own result', async () => {
    const { groups, gates, run, started } = recorder()
    const submit = grouped(run, { maxItems: 10 })
    const first = [submit(1), submit(2)]
    await started(1)
    const second = [submit(3), submit(4), submit(5)]
    gates[0]?.resolve()
    await started(2)
    gates[1]?.resolve()
    expect(await Promise.all([...first, ...second])).toEqual([10, 20, 30, 40, 50])
    expect(groups).toEqual([
      [1, 2],
      [3, 4, 5],
    ])
  })

  test('runs as many groups at once as allowed', async () => {
    const { groups, gates, run, started } = recorder()
    const submit = grouped(run, { maxItems: 10, atOnce: 2 })
    const results = [submit(1)]
    await started(1)
    results.push(submit(2), submit(3))
    await started(2)
    results.push(submit(4), submit(5))
    await new Promise(setImmediate)
    expect(groups).toEqual([[1], [2, 3]])
    gates[1]?.resolve()
    await started(3)
    expect(groups[2]).toEqual([4, 5])
    gates.forEach(({ resolve }) => resolve())
    expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50])
  })

  test.each([
    { count: 2, sizes: [2] },
    { count: 3, sizes: [3] },
    { count: 4, sizes: [3, 1] },
  ])('splits $count items into groups of $sizes with a maximum of three', async ({ count, sizes }) => {
    const groups: number[] = []
    const submit = grouped(async (items: number[]) => (groups.push(items.length), items), { maxItems: 3 })
    await Promise.all(Array.from({ length: count }, (_, i) => submit(i)))
    expect(groups).toEqual(sizes)
  })

  test('limits the weight of a group, and runs a heavier item alone', async () => {
    const groups: number[][] = []
    const submit = grouped(async (items: number[]) => (groups.push(items), items), {
      maxItems: 10,
      maxWeight: 10,
      weigh: (item) => item,
    })
    await Promise.all([4, 6, 1, 25, 3].map(submit))
    expect(groups).toEqual([[4, 6], [1], [25], [3]])
  })

  test('rejects only the items of a failed group', async () => {
    let failing = true
    const submit = grouped(
      async (items: number[]) => {
        if (failing) throw new Error('no')
        return items
      },
      { maxItems: 10 },
    )
    await expect(Promise.all([submit(1), submit(2)])).rejects.toThrow('no')
    failing = false
    expect(await submit(3)).toBe(3)
  })
})

test('look-ups at the same time share a query, which gets each key once', async () => {
  const queries: number[][] = []
  const lookUp = groupedLookUp<number, { id: number; name: string }>(
    async (keys) => {
      queries.push(keys)
      return keys.filter((id) => id !== 2).map((id) => ({ id, name: `row ${id}` }))
    },
    ({ id }) => id,
  )
  const found = await Promise.all([3, 2, 1, 3].map((key) => lookUp(key)))
  expect(found.map((row) => row?.name)).toEqual(['row 3', undefined, 'row 1', 'row 3'])
  expect(queries).toEqual([[3, 2, 1]])
})
