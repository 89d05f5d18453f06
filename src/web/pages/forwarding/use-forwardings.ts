import { useCallback, useEffect, useRef, useState } from 'react'
import type { ForwardingLogJson, ForwardingsJson } from '#contract/forwarding.ts'
import type { ForwardingData } from '#contract/pages.ts'
import { api, problemOf } from '../../api/api.ts'
import { forwardingApi } from '../../api/forwarding-api.ts'
import { usePage } from '../../app/page.tsx'
import { whilePageShown } from '../../hooks/while-page-shown.ts'
import { withNew } from './with-new.ts'

/** Milliseconds between two looks: the destination agrees somewhere else, and mail comes when it comes. */
const PAUSE = 4000

interface Shown {
  list: ForwardingsJson | null
  log: ForwardingLogJson | null
}

/** The forwardings of the address and what came of its mail: as the page brought them, then looked up again while it is shown. */
export function useForwardings({ address, forwardings, log: firstLog }: ForwardingData, older: boolean) {
  const { refresh } = usePage()
  const [{ list, log }, setShown] = useState<Shown>({ list: forwardings, log: firstLog })
  useEffect(() => setShown({ list: forwardings, log: firstLog }), [forwardings, firstLog])

  /** The newest look; older ones that come in late are dropped. */
  const newest = useRef(0)
  const load = useCallback(async () => {
    const turn = ++newest.current
    try {
      const looks = [forwardingApi.list(), forwardingApi.log(), api.address()] as const
      const [newList, newLog, current] = await Promise.all(looks)
      if (turn !== newest.current) return
      if (current.address === address)
        setShown((before) => ({ list: newList, log: older ? before.log : withNew(before.log, newLog) }))
      // In another tab the visitor has got another one.
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

  const there = list !== null
  const moving = there && list.forwardings.some(({ state }) => state !== 'ended')
  useEffect(() => {
    if (!there) return undefined
    return whilePageShown(() => {
      // What can't be had now is there at the next look.
      const look = (): void => void (document.hidden || load().catch(() => {}))
      const timer = moving ? setInterval(look, PAUSE) : undefined
      document.addEventListener('visibilitychange', look)
      return () => {
        clearInterval(timer)
        document.removeEventListener('visibilitychange', look)
      }
    })
  }, [there, moving, load])

  return { list, log, load, more }
}
