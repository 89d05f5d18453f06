import type { MessageSummaryJson } from '#contract/messages.ts'
import { local } from '../app/storage.ts'
import { senderName } from '../components/sender.ts'
import type { Text } from '../i18n/text.tsx'
import { playChime } from './chime.ts'

export type Alert = 'sound' | 'notify'

/** Where the browser keeps which alerts are on. Nothing means none. */
export const ALERTS_KEY = 'mayfly:alerts'

export function keptAlerts(): Record<Alert, boolean> {
  try {
    return { sound: false, notify: false, ...(JSON.parse(local.getItem(ALERTS_KEY) ?? '{}') as object) }
  } catch {
    return { sound: false, notify: false }
  }
}

/** The alerts after one of them was switched. Off if the browser refuses notifications. */
export async function toggleAlert(alert: Alert): Promise<Record<Alert, boolean>> {
  const before = keptAlerts()
  const on = !before[alert]
  // Browsers require a click before the permission prompt.
  const isRefused =
    alert === 'notify' && on && (!('Notification' in window) || (await Notification.requestPermission()) !== 'granted')
  if (isRefused) return before
  if (alert === 'sound' && on) playChime()
  const next = { ...before, [alert]: on }
  local.setItem(ALERTS_KEY, JSON.stringify(next))
  return next
}

/** Plays the sound and shows the notification for a new message, if they are on. */
export function alertTo(arrived: MessageSummaryJson, text: Text): void {
  const now = keptAlerts()
  if (now.sound) playChime()
  if (!now.notify || !document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return
  const sender = senderName(arrived.from)
  const body = arrived.code
    ? text('inbox.newCode', { sender, code: arrived.code })
    : text('inbox.new', { sender, subject: arrived.subject })
  const notification = new Notification(text('site.name'), { body, tag: arrived.id })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
  })
}
