import { expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { languages, pathIn } from '#locales/languages.ts'
import { USER_AGENT } from '#test/support/program/browser.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const get = async ({ httpPort }: Program, path: string) =>
  (await fetch(`http://127.0.0.1:${httpPort}${path}`, { headers: { 'user-agent': USER_AGENT } })).text()

const warningsOf = ({ stderr }: Program): string[] =>
  stderr
    .map((line) => JSON.parse(line) as { level: string; msg: string })
    .flatMap(({ level, msg }) => (level === 'warn' ? [msg] : []))

const PUBLIC = { ...WITHOUT_LIMITS, MAYFLY_PUBLIC_URL: 'https://mayfly.example' }

test('the pages about privacy and terms name the operator in every language', async () => {
  const program = await startProgram({
    env: {
      ...PUBLIC,
      MAYFLY_OPERATOR_NAME: 'Mayfly <Ltd>',
      MAYFLY_OPERATOR_ADDRESS: '1 River Street, Springfield',
      MAYFLY_OPERATOR_EMAIL: 'legal@mayfly.example',
      MAYFLY_OPERATOR_LAW: 'Law of Ireland; Data Protection Commission',
    },
  })
  for (const { code } of languages) {
    for (const path of ['/privacy', '/terms']) {
      const notice = (await get(program, pathIn(code, path))).split('id="legal"')[1] ?? ''
      expect(notice).toContain('Mayfly &lt;Ltd&gt;')
      expect(notice).toContain('1 River Street, Springfield')
      expect(notice).toContain('<a href="mailto:legal@mayfly.example">')
      expect(notice).toContain('Law of Ireland; Data Protection Commission')
      expect(notice).toContain(`href="${pathIn(code, '/contact')}"`)
    }
  }
  expect(await get(program, '/en/apps')).not.toContain('id="legal"')
  expect(warningsOf(program)).toEqual([])
  const security = await get(program, '/.well-known/security.txt')
  expect(security).toContain('Contact: mailto:legal@mayfly.example\nContact: https://mayfly.example/en/contact\n')
  expect(security).toContain('\nCanonical: https://mayfly.example/.well-known/security.txt\n')
  const expires = Date.parse(/^Expires: (.+)$/m.exec(security)?.[1] ?? '')
  expect(expires).toBeGreaterThan(Date.now() + 100 * DAY)
  expect(expires).toBeLessThan(Date.now() + 365 * DAY)
  await program.stop()
})

test('without an operator they have the contact form alone, and the start of a public site warns', async () => {
  const program = await startProgram({ env: PUBLIC })
  const notice = (await get(program, '/en/terms')).split('id="legal"')[1] ?? ''
  expect(notice).toContain('href="/en/contact"')
  expect(notice).not.toContain('<dl>')
  expect(warningsOf(program)).toEqual([expect.stringMatching(/^MAYFLY_OPERATOR_NAME, .*not set/)])
  expect(await get(program, '/.well-known/security.txt')).not.toContain('mailto:')
  await program.stop()
})
