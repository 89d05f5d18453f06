import { createCipheriv, generateKeyPairSync, randomBytes } from 'node:crypto'
import { ALGORITHM, boxKey } from '#mail/sealing/box-key.ts'
import { PACKED_RAW, UNBOUND_VERSION } from '#mail/sealing/format.ts'
import { publicKeyOf, rawPublicKey } from '#mail/sealing/keys.ts'

/** A box of version 1, as the version before sealed it. */
export function unboundBox(recipient: Uint8Array, plaintext: Uint8Array): Uint8Array {
  const pair = generateKeyPairSync('x25519')
  const ephemeral = rawPublicKey(pair.publicKey)
  const nonce = randomBytes(12)
  const cipher = createCipheriv(ALGORITHM, boxKey(pair.privateKey, publicKeyOf(recipient), ephemeral, recipient), nonce)
  const sealed = [cipher.update(Buffer.of(PACKED_RAW)), cipher.update(plaintext), cipher.final()]
  return Buffer.concat([Buffer.of(UNBOUND_VERSION), ephemeral, nonce, ...sealed, cipher.getAuthTag()])
}
