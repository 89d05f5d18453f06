import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { problem } from '#contract/problems.ts'
import type { RouteContext } from '../../context.ts'
import { healthRoutes } from './health.ts'

let app: FastifyInstance
let check: () => Promise<void>
beforeEach(() => {
  app = Fastify()
  app.addSchema(problem)
  const deps = { store: { check: () => check() }, draining: new AbortController().signal, clock: () => 0 }
  healthRoutes(app, { deps } as unknown as RouteContext)
})
afterEach(() => app.close())

const ready = async () => (await app.inject('/readyz')).statusCode

test('a store that can write is ready', async () => {
  check = () => Promise.resolve()
  expect(await ready()).toBe(200)
})

test("a store that can't write is not ready", async () => {
  check = () => Promise.reject(new Error('no'))
  expect(await ready()).toBe(503)
})

test('a store that never responds is not ready after two seconds, and is asked once', async () => {
  let asked = 0
  check = () => {
    asked++
    return new Promise(() => {})
  }
  const started = performance.now()
  expect(await Promise.all([ready(), ready(), ready()])).toEqual([503, 503, 503])
  expect(performance.now() - started).toBeLessThan(2000)
  expect(asked).toBe(1)
})

test('a store that responds again is ready again', async () => {
  const late = Promise.withResolvers<void>()
  check = () => late.promise
  expect(await ready()).toBe(503)
  late.resolve()
  await expect.poll(ready).toBe(200)
})
