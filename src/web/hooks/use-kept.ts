import { useEffect, useState } from 'react'
import type { KeptAddressJson, KeptAddressListJson } from '#contract/kept-addresses.ts'
import { whilePageShown } from './while-page-shown.ts'

/** The kept addresses of a subscriber with live unread counts. */
export function useKept(first: readonly KeptAddressJson[]): readonly KeptAddressJson[] {
  const [kept, setKept] = useState(first)
  useEffect(() => setKept(first), [first])
  useEffect(
    () =>
      whilePageShown(() => {
        const source = new EventSource('/api/v1/account/events')
        source.addEventListener('addresses', ({ data }: MessageEvent<string>) =>
          setKept((JSON.parse(data) as KeptAddressListJson).addresses),
        )
        return () => source.close()
      }),
    [],
  )
  return kept
}
