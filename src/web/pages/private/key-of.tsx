import { useCallback, useEffect, useState } from 'react'
import type { PrivateAddressJson } from '#contract/pages.ts'
import { keyStore } from '../../private/key-store.ts'
import type { PrivateKeys } from '../../private/keys.ts'
import { CheckingKey } from './checking-key.tsx'
import { Ended } from './ended.tsx'
import { PrivateInboxPage } from './inbox-page.tsx'
import { Locked } from './locked.tsx'

interface Props {
  address: PrivateAddressJson
  /** Whether the subscriber has the benefits of Premium. */
  active: boolean
}

/** An address, as far as this device has the key of it. */
export function KeyOf({ address, active }: Props) {
  const { id } = address
  /** Undefined until it is known, null where there is none. */
  const [keys, setKeys] = useState<PrivateKeys | null>()
  useEffect(() => {
    keyStore.find(id).then(
      (found) => setKeys(found ?? null),
      () => setKeys(null),
    )
  }, [id])

  /** Where the browser keeps nothing it is there for as long as the page. */
  const unlock = useCallback(
    async (found: PrivateKeys) => {
      await keyStore.keep(id, found).catch(() => {})
      setKeys(found)
    },
    [id],
  )
  const lock = useCallback(async () => {
    await keyStore.forget(id).catch(() => {})
    setKeys(null)
  }, [id])

  if (keys === undefined) return <CheckingKey address={address} />
  // With Premium, who brings the key can have an address again that has ended.
  if (!address.alive && (keys !== null || !active)) return <Ended address={address} keys={active ? keys : null} />
  if (keys === null) return <Locked address={address} onUnlock={unlock} />
  return <PrivateInboxPage address={address} keys={keys} onLock={lock} />
}
