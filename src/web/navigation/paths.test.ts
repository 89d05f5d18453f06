import { expect, test } from 'vitest'
import { inboxPath } from './paths.ts'

test.each([
  [{}, undefined, '/'],
  [{}, '01m8', '/?message=01m8'],
  [{ address: 'a+b@mayfly.test' }, undefined, '/?address=a%2Bb%40mayfly.test'],
  [{ address: 'a@mayfly.test', before: '1' }, 'a&b', '/?address=a%40mayfly.test&message=a%26b'],
])('%j, message %s: %s', (query, message, path) => expect(inboxPath({ path: '/', query }, message)).toBe(path))
