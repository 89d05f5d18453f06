import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ensureServiceKey } from './service-key.ts'

const remembering = () => {
  const facts = new Map<string, string>()
  return {
    facts,
    ensureMetadata: async (fact: string, value: string) => {
      if (!facts.has(fact)) facts.set(fact, value)
      return facts.get(fact) ?? ''
    },
  }
}

test('the first key is the one of the database; another is refused, and neither is written down', async () => {
  const store = remembering()
  const [first, other] = [randomBytes(32), randomBytes(32)]
  await ensureServiceKey(store, first)
  await ensureServiceKey(store, first)
  await expect(ensureServiceKey(store, other)).rejects.toThrow('belongs to another service key')
  await ensureServiceKey(store, first)
  const kept = [...store.facts.values()].join()
  for (const key of [first, other])
    for (const encoding of ['hex', 'base64url'] as const) expect(kept).not.toContain(key.toString(encoding))
})
