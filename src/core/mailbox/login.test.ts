import { describe, expect, test } from 'vitest'
import { chosenLogin, recipientLogin } from './login.ts'

const code = (login: string): string | undefined => {
  try {
    chosenLogin(login)
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('a chosen login', () => {
  test.each(['abc', 'velvet.otter47', 'a_b-c', '123', 'x'.repeat(64)])('accepts %s', (login) => {
    expect(chosenLogin(login)).toBe(login)
  })

  test('is converted to lower case and trimmed', () => {
    expect(chosenLogin('  Velvet.Otter ')).toBe('velvet.otter')
  })

  test.each([
    '',
    'ab',
    'x'.repeat(65),
    '.abc',
    'abc.',
    'a..b',
    'a b',
    'a+b',
    'a@b',
    'жук',
    'a/b',
    'a\u0000b',
    'ａｂｃ',
  ])('rejects %j', (login) => {
    expect(code(login)).toBe('login_invalid')
  })

  test.each([
    'postmaster',
    'Postmaster',
    'ABUSE',
    'post.master',
    'post-master',
    'a.d.m.i.n',
    '_admin_',
    'admin+shop',
    'ａｄｍｉｎ',
    'аdmin',
    'adm1n',
    '4dmin',
    'r00t',
    'p0stmaster',
    'pοstmaster',
    'ádmin',
    'adrnin',
    'no-reply',
    'noreply',
    'admin1',
    'support.24',
    'security',
    'secur1ty',
    'webrnaster',
    'hostmaster',
  ])('rejects %s as reserved', (login) => {
    expect(code(login)).toBe('login_reserved')
  })

  test.each(['admiral', 'newsman', 'rooster', 'supporter.of.cats', 'infosys.fan', 'mailo'])(
    'accepts %s, which only starts like a reserved name',
    (login) => {
      expect(code(login)).toBeUndefined()
    },
  )
})

describe('the login of a recipient', () => {
  test.each([
    ['velvet.otter', 'velvet.otter'],
    ['Velvet.Otter', 'velvet.otter'],
    ['velvet+shop', 'velvet'],
    ['velvet+a+b', 'velvet'],
    ['"velvet.otter"', 'velvet.otter'],
    ['"vel\\vet"', 'velvet'],
    ['+shop', undefined],
    ['', undefined],
  ])('for %s is %s', (localPart, login) => {
    expect(recipientLogin(localPart)).toBe(login)
  })
})
