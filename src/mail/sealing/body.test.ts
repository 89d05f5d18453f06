import { expect, test } from 'vitest'
import { packBody, unpackBody } from './body.ts'

test('unpackBody returns the envelope and message of packBody', () => {
  const envelope = {
    mailFrom: 'ä@b',
    recipient: 'c@d',
    helo: 'x',
    clientAddress: '::1',
    tls: true,
    receivedAt: 5,
  }
  const raw = Buffer.from([0, 255, 13, 10])
  expect(unpackBody(packBody(envelope, raw))).toEqual({ envelope, raw })
})
