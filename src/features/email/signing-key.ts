import type { SigningKey } from '#core/forwarding/forwarding.ts'
import { METADATA, type Store } from '#core/store.ts'
import { newDkimKey } from '#mail/forwarding/dkim-key.ts'
import { SealError } from '#mail/sealing/open.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { createWrappedMetadata } from '#mail/sealing/wrapped-metadata.ts'

/** The stored DKIM key cannot be unwrapped. The message is one line. */
export class SigningKeyDamaged extends Error {
  override readonly name = 'SigningKeyDamaged'

  constructor(selector: string, options?: ErrorOptions) {
    super(
      `The stored DKIM key "${selector}" is damaged: set MAYFLY_DKIM_SELECTOR to another name, which gets a new key, and publish its record`,
      options,
    )
  }
}

/** Returns the DKIM key with which a domain of this service signs. All domains share the key. */
export type SigningKeyOf = (domain: string) => Promise<SigningKey>

interface SigningKeyDeps {
  store: Pick<Store, 'ensureMetadata'>
  wrap: Pick<Wrap, 'wrap' | 'unwrap'>
  /** The DKIM selector. Each selector has its own key, so keys are rotated by changing it. */
  selector: string
}

/**
 * Creates the key when it is first needed, and stores it in the metadata, wrapped with the service key. The first of
 * several nodes decides.
 */
export function createSigningKey({ store, wrap, selector }: SigningKeyDeps): SigningKeyOf {
  const stored = createWrappedMetadata(
    { store, wrap },
    { entry: METADATA.dkim(selector), purpose: 'signing key', make: newDkimKey },
  )
  return async (domain) => {
    const privateKey = await stored().catch((error: unknown) => {
      throw error instanceof SealError ? new SigningKeyDamaged(selector, { cause: error }) : error
    })
    return { domain, selector, privateKey }
  }
}
