import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { RouteContext } from '../context.ts'
import type { Visit } from './home-data.ts'
import { errorPayload, pagePayload, type Route } from './page-data.ts'
import { runMiddleware } from './route-middleware.ts'

const request = { headers: {} } as FastifyRequest
const visit = { request, signedIn: { active: true, subscription: { id: 's' } } } as Visit
const page = { lang: 'de', path: '/x', query: {} }

test('middleware runs in the order of its names', () => {
  expect(runMiddleware([], visit, page)).toBe(visit)
  expect(runMiddleware(['signed-out'], visit, page).signedIn).toBeUndefined()
  expect(runMiddleware(['first-language', 'signed-out'], visit, { ...page, lang: 'zh' }).signedIn).toBeUndefined()
  expect(() => runMiddleware(['first-language'], visit, page)).toThrow(expect.objectContaining({ code: 'not_found' }))
})

describe('a route with unknown middleware', () => {
  const context = {
    deps: { clock: () => 0, library: { articles: () => [] } },
    tokens: { give: (_request: unknown, asked: unknown) => asked },
    options: { ads: {}, links: {} },
  } as unknown as RouteContext
  const show = () => ({ page: 'offline', data: {} }) as const
  const routes = (middleware: string[]): Record<string, Route> => ({ '/x': { middleware, page: show } })

  test.each(['nobody', 'toString', ''])('%j is a fatal error, and its page is not made', async (name) => {
    const made = pagePayload(context, visit, page, routes(['signed-out', name]))
    await expect(made).rejects.toMatchObject({ code: 'internal', message: 'Unknown route middleware' })
    const error = await made.catch((thrown) => thrown)
    const { data } = errorPayload(context, { ...page, requested: '/de/x' }, error, visit)
    expect(data).toMatchObject({ status: 500, description: 'Unknown route middleware' })
  })

  test('a route with known middleware is shown', async () =>
    expect(await pagePayload(context, visit, page, routes(['signed-out']))).toMatchObject({
      page: 'offline',
      path: '/x',
    }))
})
