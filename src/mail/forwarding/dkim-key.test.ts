import { dkimVerify } from 'mailauth'
import { expect, test } from 'vitest'
import { composeMail } from '../compose.ts'
import { dkimRecord, newDkimKey } from './dkim-key.ts'
import { createDkimSigner } from './dkim-signer.ts'

const privateKey = await newDkimKey()
const record = dkimRecord(privateKey)
const sign = createDkimSigner({ domain: 'mayfly.test', selector: 'mayfly', privateKey })

const email = await composeMail({
  from: { name: 'Mayfly', address: 'no-reply@mayfly.test' },
  to: 'zoe@real.example',
  messageId: '<1@mayfly.test>',
  date: 0,
  subject: 'Ünïcode '.repeat(20),
  text: 'Hello\nworld\n',
  html: '<p>Hello world',
})

const resolver = (name: string): Promise<string[][]> =>
  name === 'mayfly._domainkey.mayfly.test' ? Promise.resolve([[record]]) : Promise.reject(new Error(name))
async function results(mail: Uint8Array): Promise<string[]> {
  const { results: found } = await dkimVerify(Buffer.from(mail), { resolver, strict: true })
  return found.map(({ status }) => status.result)
}

test('creates an RSA key of 2048 bits and its DNS record', () => {
  expect(privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n[\w+/=\n]+-----END PRIVATE KEY-----\n$/)
  expect(record).toMatch(/^v=DKIM1; k=rsa; p=[\w+/=]{392}$/)
})

test('signs an email, and a change breaks the signature', async () => {
  const field = await sign(email)
  expect(field).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=mayfly\.test;\r\n[^]*\r\n$/)
  const signed = Buffer.concat([Buffer.from(field), email])
  expect(await results(signed)).toEqual(['pass'])
  expect(await results(Buffer.from(signed.toString().replace('world', 'World')))).toEqual(['fail'])
  expect(await results(Buffer.from(signed.toString().replace('zoe@', 'joe@')))).toEqual(['fail'])
})

test('rejects if it cannot sign', async () => {
  await expect(sign(Buffer.from('Subject: x\r\n\r\n'))).rejects.toThrow('no From')
  const broken = createDkimSigner({ domain: 'mayfly.test', selector: 'mayfly', privateKey: 'x' })
  await expect(broken(email)).rejects.toThrow('could not be signed')
  const inject = createDkimSigner({ domain: 'mayfly.test', selector: 'a; b=x', privateKey })
  await expect(inject(email)).rejects.toThrow('could not be signed')
})
