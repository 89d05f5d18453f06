import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { USER_AGENT } from '#test/support/program/browser.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

let program: Program
beforeAll(async () => {
  program = await startProgram()
})
afterAll(() => program.stop())

describe('requests for a page get an error page', () => {
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

  test.each([
    ['/%ff', 'zh-CN', '/%ff'],
    ['/%', 'zh-CN', '/%'],
    ['/de/%ff', 'de-DE', '/de/%ff'],
    ['/de/%E4%BD%A0/%zz?x=%ff', 'de-DE', '/de/%E4%BD%A0/%zz'],
    ['/assets/%ff', 'zh-CN', '/assets/%ff'],
    ['/en/articleDetail?slug=%ff', 'en-US', '/en/articleDetail'],
  ])('with the malformed URL %s', async (path, locale, shown) => {
    const answer = await asPerson(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await answer.text()
    expect(html).toContain(`<html lang="${locale}"`)
    expect(html).toMatch(new RegExp(`<h1>[^<]*${shown}</h1>`))
  })

  test.each(['/api/v1/%ff', '/api/v1/messages/%'])('but an API request for %s gets a problem', async (path) => {
    const answer = await asPerson(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  })

  test.each(['/nothing', '/%ff', '/en/articleDetail'])('but a crawler gets no content at %s', async (path) => {
    const answer = await asPerson(path, { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } })
    expect([answer.status, await answer.text()]).toEqual([404, ''])
  })

  test('with too many requests', async () => {
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
    // A browser loads all images of a message at once.
    const images = await Promise.all(Array.from({ length: 200 }, () => fetch(`${strict.url}/proxy?u=&e=&s=`)))
    expect(new Set(images.map(({ status }) => status))).toEqual(new Set([404]))
    await strict.stop()
  })
})
