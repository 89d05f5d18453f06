import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ensureServiceKey } from './service-key.ts'

const openStore = () => {
  const metadata = new Map<string, string>()
  return {
    metadata,
    ensureMetadata: async (name: string, value: string) => {
      if (!metadata.has(name)) metadata.set(name, value)
      return metadata.get(name) ?? ''
    },
  }
}

test('accepts only the first key of a database, and does not store it', async () => {
  const store = openStore()
  const [first, other] = [randomBytes(32), randomBytes(32)]
  await ensureServiceKey(store, first)
  await ensureServiceKey(store, first)
  await expect(ensureServiceKey(store, other)).rejects.toThrow('belongs to another service key')
  await ensureServiceKey(store, first)
  const stored = [...store.metadata.values()].join()
  for (const key of [first, other])
    for (const encoding of ['hex', 'base64url'] as const) expect(stored).not.toContain(key.toString(encoding))
})
