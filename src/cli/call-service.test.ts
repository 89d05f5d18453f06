import { expect, test } from 'vitest'
import { MayflyError, WaitTimeoutError } from '#client/index.ts'
import { callService } from './call-service.ts'

const URL = 'http://localhost:3000'
const refused = new TypeError('No service responds', {
  cause: new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:3000') }),
})

test.each([
  [undefined, ''],
  [refused, ` No service responds at ${URL} (connect ECONNREFUSED 127.0.0.1:3000).`],
  [new Error('The service did not respond'), ' The service did not respond.'],
  [new Error('The service is overloaded.\nMore'), ' The service is overloaded.'],
])('a wait that ended prints why the service could not be asked: %s', async (cause, reason) => {
  const error = new WaitTimeoutError('a@b.example', 30, undefined, cause)
  await expect(callService(URL, 'Start it', () => Promise.reject(error))).rejects.toThrow(
    expect.objectContaining({ message: `a@b.example: No matching message arrived within 30 s.${reason}` }),
  )
})

test('another error is printed as it is', async () => {
  const error = new MayflyError({ type: 'about:blank', status: 404, code: 'message_not_found', title: 'Not found' })
  await expect(callService(URL, 'Start it', () => Promise.reject(error))).rejects.toBe(error)
  await expect(callService(URL, 'Start it', () => Promise.reject(refused))).rejects.toThrow(
    `No service responds at ${URL} (connect ECONNREFUSED 127.0.0.1:3000). Start it`,
  )
})
