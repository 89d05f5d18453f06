import { useCallback, useEffect, useState } from 'react'
import type { PrivateAddressJson } from '#contract/pages.ts'
import { keyStore } from '../../private/key-store.ts'
import type { PrivateKeys } from '../../private/keys.ts'
import { forgetUnsaved, type Unsaved, unsavedWith } from '../../private/unsaved.ts'
import { CheckingKey } from './checking-key.tsx'
import { Ended } from './ended.tsx'
import { PrivateInboxPage } from './inbox-page.tsx'
import { Locked } from './locked.tsx'
import { Recovery } from './recovery.tsx'

interface Props {
  address: PrivateAddressJson
  /** Whether the account has Premium. */
  active: boolean
}

/**
 * A fully private address: its recovery phrase until that was saved, then its inbox if this device has the key, else the form
 * to unlock or restore it.
 */
export function KeyOf({ address, active }: Props) {
  const { id, address: name } = address
  /** Undefined until the key store was read; null if this device has no key. */
  const [keys, setKeys] = useState<PrivateKeys | null>()
  const [unsaved, setUnsaved] = useState<Unsaved | null>(null)
  useEffect(() => {
    const find = async (): Promise<void> => {
      const found = await unsavedWith(id, name).catch(() => {})
      setUnsaved(found ?? null)
      setKeys(found?.keys ?? (await keyStore.find(id).catch(() => {})) ?? null)
    }
    void find()
  }, [id, name])
  useEffect(() => keyStore.watch(id, () => setKeys(null)), [id])

  /** If the browser cannot store the key, it is used until the page is closed. */
  const unlock = useCallback(
    async (found: PrivateKeys) => {
      await keyStore.keep(id, found).catch(() => {})
      setKeys(found)
    },
    [id],
  )
  /** Rejects if this device still has the key. */
  const lock = useCallback(async () => {
    await keyStore.forget(id)
    setKeys(null)
  }, [id])

  function saved(): void {
    forgetUnsaved()
    setUnsaved(null)
  }

  if (unsaved) return <Recovery {...unsaved} onSaved={saved} />
  if (keys === undefined) return <CheckingKey address={address} />
  // With Premium, the owner of the key can restore a deleted address.
  if (!address.alive && (keys !== null || !active)) return <Ended address={address} keys={active ? keys : null} />
  if (keys === null) return <Locked address={address} onUnlock={unlock} />
  return <PrivateInboxPage address={address} keys={keys} onLock={lock} />
}
