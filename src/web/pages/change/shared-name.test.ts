import { expect, test } from 'vitest'
import { sharedName } from './shared-name.ts'

test.each([
  [{ name: ' Newsletter Shop ' }, 'newsletter.shop'],
  [{ name: 'Ann.Lee@mail.example' }, 'ann.lee'],
  [{ name: 'https://www.shop.example/sign-up?x=1' }, 'shop.example'],
  [{ name: '', link: 'https://forum.example/' }, 'forum.example'],
  [{ name: 'Café ☕ Zoë' }, 'cafe.zoe'],
  [{ name: `${'a'.repeat(63)}.b` }, 'a'.repeat(63)],
  [{ name: '写真' }, ''],
  [{}, ''],
])('%j suggests %j', (query, login) => expect(sharedName(query)).toBe(login))
