import { useEffect, useState } from 'react'
import type { KeptAddressJson, KeptAddressListJson } from '#contract/kept-addresses.ts'
import { accountApi } from '../api/account-api.ts'
import { problemOf, shownAccount } from '../api/api.ts'
import { usePage } from '../app/page.tsx'
import { followStream } from './live-stream.ts'

/** The kept addresses of a subscriber with live unread counts. */
export function useKept(first: readonly KeptAddressJson[]): readonly KeptAddressJson[] {
  const { refresh } = usePage()
  const [kept, setKept] = useState(first)
  useEffect(() => setKept(first), [first])
  useEffect(() => {
    // The session may have ended.
    const onEnd = (): void =>
      void accountApi.addresses().catch((error: unknown) => {
        const { code } = problemOf(error)
        if (code === 'not_signed_in') void refresh(code)
      })
    // Each connection begins with the whole list.
    return followStream({
      url: () => `/api/v1/account/events?account=${shownAccount()}`,
      listen: (source) =>
        source.addEventListener('addresses', (event) =>
          setKept((JSON.parse((event as MessageEvent<string>).data) as KeptAddressListJson).addresses),
        ),
      onEnd,
    })
  }, [refresh])
  return kept
}
