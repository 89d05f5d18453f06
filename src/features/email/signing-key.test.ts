import { createPrivateKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createWrap } from '#mail/sealing/wrap.ts'
import { createSignEmail } from './signed-emails.ts'
import { createSigningKey } from './signing-key.ts'

/** The metadata of a store that writes only if `writes` says so. */
function openStore(writes = () => true) {
  const all = new Map<string, string>()
  return {
    all,
    async ensureMetadata(name: string, value: string) {
      if (!writes()) throw new Error('The store cannot write')
      if (!all.has(name)) all.set(name, value)
      return all.get(name)!
    },
  }
}

const wrap = createWrap(randomBytes(32))

test('creates one key of 2048 bits for all domains and nodes, and stores it wrapped', async () => {
  const store = openStore()
  const nodes = [1, 2].map(() => createSigningKey({ store, wrap, selector: 'mayfly' }))
  const keys = await Promise.all(nodes.flatMap((key) => [key('a.example'), key('b.example')]))
  const { privateKey } = keys[0]!
  expect(keys.map(({ domain }) => domain)).toEqual(['a.example', 'b.example', 'a.example', 'b.example'])
  expect(new Set(keys.map((key) => `${key.selector} ${key.privateKey}`))).toEqual(new Set([`mayfly ${privateKey}`]))
  expect(createPrivateKey(privateKey)).toMatchObject({ asymmetricKeyType: 'rsa' })
  expect(createPrivateKey(privateKey).asymmetricKeyDetails?.modulusLength).toBe(2048)
  expect([...store.all.keys()]).toEqual(['dkim mayfly'])
  expect(Buffer.from(store.all.get('dkim mayfly')!, 'base64').toString()).not.toContain('PRIVATE KEY')
})

test('creates another key for another selector', async () => {
  const store = openStore()
  const [a, b] = await Promise.all(
    ['a', 'b'].map((selector) => createSigningKey({ store, wrap, selector })('x.example')),
  )
  expect(a!.privateKey).not.toBe(b!.privateKey)
})

test('tries again if the store could not write', async () => {
  let writes = false
  const key = createSigningKey({ store: openStore(() => writes), wrap, selector: 'mayfly' })
  await expect(key('a.example')).rejects.toThrow('cannot write')
  writes = true
  expect(await key('a.example')).toMatchObject({ selector: 'mayfly' })
})

test('a damaged key is named in one line, and emails go out without a signature', async () => {
  const store = openStore()
  const raw = Buffer.from('From: noreply@a.example\r\n\r\nhello\r\n')
  const logged: string[] = []
  const logger = { error: (_fields: object, message: string) => void logged.push(message) }
  const sign = () => createSignEmail(createSigningKey({ store, wrap, selector: 'mayfly' }), 'noreply@a.example', logger)
  expect(Buffer.from(await sign()(raw)).toString()).toMatch(/^DKIM-Signature: /)
  for (const value of ['', 'AAAA', `${store.all.get('dkim mayfly')}`.replace(/.{8}/, 'AQAAAAAA')]) {
    store.all.set('dkim mayfly', value)
    const damaged = sign()
    for (let i = 0; i < 2; i++) expect(await damaged(raw)).toEqual(raw)
    await expect(createSigningKey({ store, wrap, selector: 'mayfly' })('a.example')).rejects.toThrow(
      /MAYFLY_DKIM_SELECTOR/,
    )
  }
  expect(logged).toHaveLength(3)
})
