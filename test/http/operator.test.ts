import { expect, test } from 'vitest'
import { USER_AGENT } from '#test/support/program/browser.ts'
import { type Program, startProgram, warningsOf, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const get = async ({ httpPort }: Program, path: string) =>
  (await fetch(`http://127.0.0.1:${httpPort}${path}`, { headers: { 'user-agent': USER_AGENT } })).text()

// With an operator: every-page.test.ts.
test('without an operator they have the contact form alone, and the start of a public site warns', async () => {
  const program = await startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_PUBLIC_URL: 'https://mayfly.example' } })
  const notice = (await get(program, '/en/terms')).split('id="legal"')[1] ?? ''
  expect(notice).toContain('href="/en/contact"')
  expect(notice).not.toContain('<dl>')
  expect(warningsOf(program)).toEqual([expect.stringMatching(/^MAYFLY_OPERATOR_NAME, .*not set/)])
  expect(await get(program, '/.well-known/security.txt')).not.toContain('mailto:')
  await program.stop()
})
