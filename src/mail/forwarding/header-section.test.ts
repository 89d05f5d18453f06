import { expect, test } from 'vitest'
import { withoutForgedResults } from './header-section.ts'

const without = (message: string): string =>
  Buffer.from(withoutForgedResults(Buffer.from(message, 'latin1'), 'mayfly.example')).toString('latin1')

test.each([
  'Authentication-Results: mayfly.example; dkim=pass header.d=bank.example',
  'authentication-RESULTS: Mayfly.Example; none',
  'Authentication-Results:mayfly.example 1; dkim=pass',
  'Authentication-Results : mayfly.example; dkim=pass',
  'Authentication-Results:\r\n\tmayfly.example;\r\n dkim=pass;\r\n spf=pass',
  'Authentication-Results: (a (nested \\) comment) "x") mayfly.example (v) 1; dkim=pass',
  'Authentication-Results: mayfly.example(comment)1; dkim=pass',
  'Authentication-Results: "mayfly.exampl\\e"; dkim=pass',
  'Authentication-Results: mayfly.example.; dkim=pass',
  'Authentication-Results: mx.mayfly.example; dkim=pass',
  'Authentication-Results: mayfly.example',
])('results that claim to be ours are removed: %j', (field) => {
  const rest = 'Subject: \xfc\r\n\r\nAuthentication-Results: mayfly.example; none\r\n'
  expect(without(`From: a@b.example\r\n${field}\r\n${field}\r\n${rest}`)).toBe(`From: a@b.example\r\n${rest}`)
  expect(without(`${field}\r\n${rest}`)).toBe(rest)
})

test.each([
  'Authentication-Results: mx.example; dkim=pass (mayfly.example)',
  'Authentication-Results: (mayfly.example) mx.example; dkim=pass',
  'Authentication-Results: notmayfly.example; dkim=pass',
  'Authentication-Results: ; mayfly.example',
  'Authentication-Results: "(" mayfly.example; none',
  'ARC-Authentication-Results: i=1; mayfly.example; dkim=pass',
  'X-Authentication-Results: mayfly.example; dkim=pass',
])('other fields are kept: %j', (field) => {
  const message = Buffer.from(`${field}\r\nSubject: x\r\n\r\nx\r\n`)
  expect(withoutForgedResults(message, 'mayfly.example')).toBe(message)
})

test('an internationalized name of ours is recognized', () => {
  const message = (id: string) => Buffer.from(`Authentication-Results: ${id}; dmarc=pass\r\n\r\n`)
  for (const id of [
    'b\u00fccher.example',
    'B\u00dcCHER.example',
    'xn--bcher-kva.example',
    '"\r\n xn--bcher-kva.example"',
  ])
    expect(Buffer.from(withoutForgedResults(message(id), 'xn--bcher-kva.example')).toString(), id).toBe('\r\n')
})

test('endless comments take no time', () => {
  const message = `Authentication-Results: ${'('.repeat(500_000)}\r\n\r\n`
  expect(without(message)).toBe(message)
})
