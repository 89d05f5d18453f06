import type { Store } from '#core/store.ts'
import type { Wrap, WrapPurpose } from './wrap.ts'

interface WrappedEntry {
  /** The name of the metadata entry. */
  entry: string
  purpose: WrapPurpose
  /** The row to which the value is bound. Without it, the value is bound to its purpose alone. */
  row?: string
  /** Makes the value if there is none. */
  make(): string | Promise<string>
}

/**
 * Returns a function that returns a text of the metadata, which is wrapped with the service key. The text is made when it
 * is first needed; the first of several nodes decides. Rejects with `SealError` if it is damaged. It is loaded once, and
 * again after a failure.
 */
export function createWrappedMetadata(
  { store, wrap }: { store: Pick<Store, 'ensureMetadata'>; wrap: Pick<Wrap, 'wrap' | 'unwrap'> },
  { entry, purpose, row, make }: WrappedEntry,
): () => Promise<string> {
  let text: Promise<string> | undefined

  async function load(): Promise<string> {
    const wrapped = Buffer.from(wrap.wrap(purpose, await make(), row)).toString('base64')
    return wrap.unwrap(purpose, Buffer.from(await store.ensureMetadata(entry, wrapped), 'base64'), row)
  }

  return () =>
    (text ??= load().catch((error: unknown) => {
      text = undefined
      throw error
    }))
}
