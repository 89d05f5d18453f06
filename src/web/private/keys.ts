import { ID_BYTES, SECRET_BYTES } from '#core/ids.ts'
import { concat, fromBase64, fromUtf8, toBase64Url } from '#mail/bytes.ts'
import { ID_INFO, KEY_BYTES, PKCS8_PREFIX, PRIVATE_KEY_INFO, SALT } from '#mail/sealing/format.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The keys that open the messages of a fully private address. The private key is not extractable. */
export interface PrivateKeys {
  privateKey: CryptoKey
  /** X25519, 32 bytes, raw. */
  publicKey: Bytes
}

/** A new secret: 256 random bits. */
export const newSecret = (): Bytes => crypto.getRandomValues(new Uint8Array(SECRET_BYTES))

/** Derives the id and the keys of an address from its secret, as `mail/sealing/keys.ts` does on the server. */
export async function deriveKeys(secret: Bytes): Promise<{ id: string; keys: PrivateKeys }> {
  const { subtle } = crypto
  const base = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  const derive = async (info: string, bytes: number): Promise<Bytes> =>
    new Uint8Array(
      await subtle.deriveBits(
        { name: 'HKDF', hash: 'SHA-256', salt: fromUtf8(SALT), info: fromUtf8(info) },
        base,
        bytes * 8,
      ),
    )
  const [id, seed] = await Promise.all([derive(ID_INFO, ID_BYTES), derive(PRIVATE_KEY_INFO, KEY_BYTES)])
  const pkcs8 = concat(PKCS8_PREFIX, seed)
  const [privateKey, open] = await Promise.all(
    [false, true].map((extractable) => subtle.importKey('pkcs8', pkcs8, 'X25519', extractable, ['deriveBits'])),
  )
  if (!privateKey || !open) throw new TypeError('No keys')
  // Web Crypto exposes the public half of a private key only in its JWK export.
  const { x = '' } = await subtle.exportKey('jwk', open)
  return { id: toBase64Url(id), keys: { privateKey, publicKey: fromBase64(x) } }
}

/** Whether this browser can generate keys. It needs X25519 and a secure context (https or localhost). */
export const canMakeKeys = (): Promise<boolean> =>
  Promise.resolve()
    .then(() => deriveKeys(newSecret()))
    .then(
      () => true,
      () => false,
    )
