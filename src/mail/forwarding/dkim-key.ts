import { createPublicKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

/** All verifiers accept 2048 bits (RFC 8301 3.2). A longer key does not fit into a DNS response of 512 bytes. */
const BITS = 2048

/** Generates an RSA key (PKCS #8, PEM). Takes some tenths of a second outside the event loop. */
export async function newDkimKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return privateKey
}

/** Returns the value of the TXT record at `SELECTOR._domainkey.DOMAIN` (RFC 6376 3.6.1) as one string. */
export function dkimRecord(privateKey: string): string {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  return `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`
}
