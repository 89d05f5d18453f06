import { expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { createAccessTokens } from './access-tokens.ts'

const NOW = 1_800_000_000_000
const tokens = createAccessTokens(Buffer.alloc(32, 1), () => NOW, DAY)

test('a token has the claims of its account, and only its service can read the secret', () => {
  const token = tokens.create('the secret', { id: 'ID', address: 'a@mayfly.test' })
  const [header = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  expect(JSON.parse(header)).toMatchObject({ typ: 'JWT' })
  expect(JSON.parse(claims)).toEqual({
    iat: NOW / 1000,
    exp: (NOW + DAY) / 1000,
    roles: ['ROLE_USER'],
    address: 'a@mayfly.test',
    id: 'ID',
    mercure: { subscribe: ['/accounts/ID'] },
  })
  expect(token).not.toContain(Buffer.from('the secret').toString('base64url'))
  expect(tokens.read(token)).toEqual({ secret: 'the secret', expiresAt: NOW + DAY })
  expect(createAccessTokens(Buffer.alloc(32, 2), () => NOW, DAY).read(token)).toBeUndefined()
})

test('a changed token is rejected', () => {
  const token = tokens.create('the secret', { id: 'ID', address: 'a@mayfly.test' })
  const [header = '', , box = ''] = token.split('.')
  const later = Buffer.from(JSON.stringify({ exp: 9_999_999_999 })).toString('base64url')
  for (const changed of [`${header}.${later}.${box}`, `${token}.`, token.slice(0, -4), '', '..', 'a.b.c'])
    expect(tokens.read(changed)).toBeUndefined()
})
