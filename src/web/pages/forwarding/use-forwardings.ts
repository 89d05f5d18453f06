import { useCallback, useEffect, useRef, useState } from 'react'
import type { ForwardingLogJson, ForwardingsJson } from '#contract/forwarding.ts'
import type { ForwardingData } from '#contract/pages.ts'
import { api, problemOf } from '../../api/api.ts'
import { forwardingApi } from '../../api/forwarding-api.ts'
import { usePage } from '../../app/page.tsx'
import { whilePageShown } from './while-page-shown.ts'
import { withNew } from './with-new.ts'

/** Milliseconds between two requests. Consents and messages arrive at any time. */
const POLL_INTERVAL = 4000

interface Shown {
  list: ForwardingsJson | null
  log: ForwardingLogJson | null
}

/** The forwardings of the address and their log: first from the page's payload, then polled while the page is shown. */
export function useForwardings({ address, forwardings, log: firstLog }: ForwardingData, older: boolean) {
  const { refresh } = usePage()
  const [{ list, log }, setShown] = useState<Shown>({ list: forwardings, log: firstLog })
  useEffect(() => setShown({ list: forwardings, log: firstLog }), [forwardings, firstLog])

  /** Number of the newest request. Late responses to older ones are dropped. */
  const newest = useRef(0)
  const load = useCallback(async () => {
    const request = ++newest.current
    try {
      const calls = [forwardingApi.list(), forwardingApi.log(), api.address()] as const
      const [newList, newLog, current] = await Promise.all(calls)
      if (request !== newest.current) return
      if (current.address === address)
        setShown((before) => ({ list: newList, log: older ? before.log : withNew(before.log, newLog) }))
      // The visitor changed the address in another tab.
      else await refresh()
    } catch (error) {
      if (problemOf(error).code === 'unauthorized') await refresh()
      throw error
    }
  }, [address, older, refresh])

  const more = useCallback(async () => {
    const page = await forwardingApi.log(log?.next ?? undefined)
    setShown((before) => ({ ...before, log: { ...page, entries: [...(before.log?.entries ?? []), ...page.entries] } }))
  }, [log?.next])

  const loaded = list !== null
  const active = loaded && list.forwardings.some(({ state }) => state !== 'ended')
  useEffect(() => {
    if (!loaded) return undefined
    return whilePageShown(() => {
      // A failed request is repeated at the next interval.
      const poll = (): void => void (document.hidden || load().catch(() => {}))
      const timer = active ? setInterval(poll, POLL_INTERVAL) : undefined
      document.addEventListener('visibilitychange', poll)
      return () => {
        clearInterval(timer)
        document.removeEventListener('visibilitychange', poll)
      }
    })
  }, [loaded, active, load])

  return { list, log, load, more }
}
