import type { MessageSummaryJson } from '#contract/messages.ts'
import { activeWorker } from '../app/active-worker.ts'
import { local } from '../app/storage.ts'
import { senderName } from '../components/sender.ts'
import type { Text } from '../i18n/text.tsx'
import { playChime } from './chime.ts'

export type Alert = 'sound' | 'notify'

/** Where the browser keeps which alerts are on. Nothing means none. */
const ALERTS_KEY = 'mayfly:alerts'

/** Whether the page may show notifications. Safari on iPhone only has them in the installed app. */
export const notifyPermission = (): NotificationPermission | 'unsupported' =>
  'Notification' in window ? Notification.permission : 'unsupported'

/** The alerts that are on. The visitor can take the permission back in the browser. */
export function keptAlerts(): Record<Alert, boolean> {
  let kept: Partial<Record<Alert, boolean>> = {}
  try {
    kept = JSON.parse(local.getItem(ALERTS_KEY) ?? '{}') as typeof kept
  } catch {}
  return { sound: kept.sound ?? false, notify: (kept.notify ?? false) && notifyPermission() === 'granted' }
}

/** The alerts after one of them was switched. Off if the browser refuses notifications. */
export async function toggleAlert(alert: Alert): Promise<Record<Alert, boolean>> {
  const before = keptAlerts()
  const on = !before[alert]
  // Browsers require a click before the permission prompt.
  if (alert === 'notify' && on && (await Notification.requestPermission()) !== 'granted') return before
  if (alert === 'sound' && on) void playChime()
  const next = { ...before, [alert]: on }
  local.setItem(ALERTS_KEY, JSON.stringify(next))
  return next
}

/** Plays the sound and shows the notification for a new message, if they are on. */
export async function alertTo(arrived: MessageSummaryJson, text: Text): Promise<void> {
  const now = keptAlerts()
  if (now.sound) void playChime()
  if (!now.notify || !document.hidden) return
  const sender = senderName(arrived.from)
  const body = arrived.code
    ? text('inbox.newCode', { sender, code: arrived.code })
    : text('inbox.new', { sender, subject: arrived.subject })
  const title = text('site.name')
  const options = { body, tag: arrived.id }
  try {
    const notification = new Notification(title, options)
    notification.addEventListener('click', () => {
      window.focus()
      notification.close()
    })
  } catch {
    // On Android, the constructor throws: only a service worker can show notifications there.
    const data = { home: location.pathname + location.search }
    await (await activeWorker())?.showNotification(title, { ...options, data })
  }
}
