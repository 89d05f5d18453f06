import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signRemoteUrl, verifyRemoteUrl } from './signed-url.ts'

const key = randomBytes(32)
const signer = { prefix: '/proxy', key, expiresAt: 1000 }
const queryOf = (signed: string | undefined) => Object.fromEntries(new URLSearchParams(signed?.split('?')[1]))

describe('a signed URL', () => {
  test('is verified to the original URL', () => {
    const url = 'https://a.example/x.png?a=1&b=%20#ü'
    const signed = signRemoteUrl(url, signer)
    expect(signed).toMatch(/^\/proxy\?[\w=&-]+$/)
    expect(verifyRemoteUrl(queryOf(signed), { key, now: 999 })).toBe(new URL(url).href)
  })

  test('is rejected if changed, expired or signed with another key', () => {
    const query = queryOf(signRemoteUrl('https://a.example/x.png', signer))
    expect(verifyRemoteUrl(query, { key, now: 1000 })).toBeUndefined()
    expect(verifyRemoteUrl(query, { key: randomBytes(32), now: 0 })).toBeUndefined()
    expect(verifyRemoteUrl({ ...query, e: '9999' }, { key, now: 0 })).toBeUndefined()
    const other = Buffer.from('https://b.example/x.png').toString('base64url')
    expect(verifyRemoteUrl({ ...query, u: other }, { key, now: 0 })).toBeUndefined()
    for (const name of ['u', 'e', 's']) {
      expect(verifyRemoteUrl({ ...query, [name]: undefined }, { key, now: 0 }), name).toBeUndefined()
      expect(verifyRemoteUrl({ ...query, [name]: `${query[name]}A` }, { key, now: 0 }), name).toBeUndefined()
      expect(verifyRemoteUrl({ ...query, [name]: query[name]?.slice(1) }, { key, now: 0 }), name).toBeUndefined()
    }
  })
})
