import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { DAY } from '#core/time.ts'
import { makeSelfSigned } from './self-signed.ts'

const LONG = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(60)}.example`

it.each(['mx.mayfly.test', LONG])('makes a certificate that OpenSSL accepts as one for %s', (hostname) => {
  const { cert, key } = makeSelfSigned(hostname)
  const read = new X509Certificate(cert)
  expect(read.subject).toBe(`CN=${hostname}`)
  expect(read.verify(read.publicKey)).toBe(true)
  expect(read.checkHost(hostname)).toBe(hostname)
  expect(read.checkHost('other.example')).toBeUndefined()
  expect(read.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
  expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----/)
  expect(read.validFromDate.getTime()).toBeLessThan(Date.now())
  expect(read.validToDate.getTime()).toBeGreaterThan(Date.now() + 3600 * DAY)
})

it('makes another certificate each time', () => {
  const [first, second] = [1, 2].map(() => new X509Certificate(makeSelfSigned('mx.mayfly.test').cert))
  expect(first?.serialNumber).not.toBe(second?.serialNumber)
  expect(first?.serialNumber).toMatch(/^01[\dA-F]{30}$/)
})
