import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { USER_AGENT } from '#test/browser.ts'
import { type Program, startProgram } from '#test/program.ts'

let program: Program
beforeAll(async () => {
  program = await startProgram()
})
afterAll(() => program.stop())

describe('a person who asks for a page gets one, whatever is wrong', () => {
  const asPerson = (path: string, init: RequestInit = {}) =>
    fetch(program.url + path, {
      ...init,
      headers: { accept: 'text/html,*/*', 'user-agent': USER_AGENT, ...init.headers },
    })

  test('with a form that is too large', async () => {
    const body = new URLSearchParams({ lang: 'de', message: 'x'.repeat(300_000) })
    const answer = await asPerson('/actions/contact', { method: 'POST', body, headers: { origin: program.url } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain('<h1')
  })

  test('who asks too often', async () => {
    const strict = await startProgram({ env: { MAYFLY_PAGE_REQUESTS_PER_SECOND: '1' } })
    const headers = { accept: 'text/html', 'user-agent': USER_AGENT }
    const answers = await Promise.all(Array.from({ length: 5 }, () => fetch(`${strict.url}/de/terms`, { headers })))
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await refused?.text()).toContain('<html lang="de-DE"')
    const program429 = await Promise.all(Array.from({ length: 5 }, () => fetch(`${strict.url}/de/terms`)))
    expect(program429.find(({ status }) => status === 429)?.headers.get('content-type')).toBe(
      'application/problem+json',
    )
    await strict.stop()
  })
})
