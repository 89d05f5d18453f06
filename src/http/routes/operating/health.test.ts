import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { problem } from '#contract/problems.ts'
import type { RouteContext } from '../../context.ts'
import { healthRoutes } from './health.ts'

let app: FastifyInstance
let check: () => Promise<void>
let lines: string[]
beforeEach(() => {
  app = Fastify()
  app.addSchema(problem)
  lines = []
  const logger = {
    warn: ({ err }: { err: Error }) => lines.push(err.message),
    info: (_: object, line: string) => lines.push(line),
  }
  const deps = { store: { check: () => check() }, draining: new AbortController().signal, clock: () => 0, logger }
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
  expect(lines).toEqual(['no'])
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
  expect(lines).toEqual(['The store did not respond within 1.5 s', 'ready again'])
})
