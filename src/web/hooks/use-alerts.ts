import { useEffect, useState } from 'react'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { useText } from '../i18n/text.tsx'
import { playChime } from './chime.ts'

export type Alert = 'sound' | 'notify'

const KEY = 'mayfly:alerts'

const kept = (): Record<Alert, boolean> => {
  try {
    return { sound: false, notify: false, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as object) }
  } catch {
    return { sound: false, notify: false }
  }
}

/** Sound and desktop notifications for new messages. Off by default; the choice is stored on this device. */
export function useAlerts(arrived: MessageSummaryJson | null) {
  const text = useText()
  const [alerts, setAlerts] = useState<Record<Alert, boolean>>({ sound: false, notify: false })
  useEffect(() => setAlerts(kept()), [])

  useEffect(() => {
    if (!arrived) return
    const now = kept()
    if (now.sound) playChime()
    if (now.notify && document.hidden && 'Notification' in window && Notification.permission === 'granted') {
      const sender = arrived.from.name || arrived.from.address
      const body = arrived.code
        ? text('inbox.newCode', { sender, code: arrived.code })
        : text('inbox.new', { sender, subject: arrived.subject })
      const notification = new Notification(text('site.name'), { body, tag: arrived.id })
      notification.addEventListener('click', () => {
        window.focus()
        notification.close()
      })
    }
  }, [arrived, text])

  async function toggle(alert: Alert): Promise<void> {
    const on = !alerts[alert]
    // Browsers require a click before the permission prompt.
    if (
      alert === 'notify' &&
      on &&
      (!('Notification' in window) || (await Notification.requestPermission()) !== 'granted')
    )
      return
    if (alert === 'sound' && on) playChime()
    const next = { ...alerts, [alert]: on }
    localStorage.setItem(KEY, JSON.stringify(next))
    setAlerts(next)
  }
  return { alerts, toggle }
}
