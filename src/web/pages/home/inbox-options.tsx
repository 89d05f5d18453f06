import { useState } from 'react'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { lazyComponent } from '../../components/lazy.tsx'
import { Switch } from '../../components/switch.tsx'
import { type Alert, keptAlerts, notifyPermission, toggleAlert } from '../../hooks/alerts.ts'
import { type MessageKey, useText } from '../../i18n/text.tsx'
import { useBlocked } from '../push/use-blocked.ts'
import { shortcutsOn, switchShortcuts } from './shortcuts.ts'
import css from './inbox-options.module.css'

const PushSwitch = lazyComponent(async () => (await import('../push/push-switch.tsx')).PushSwitch)

const KEYS: [string, MessageKey][] = [
  ['j', 'keys.next'],
  ['k', 'keys.previous'],
  ['Enter', 'keys.open'],
  ['c', 'keys.copy'],
  ['#', 'keys.delete'],
  ['u', 'keys.undo'],
  ['/', 'search.open'],
  ['?', 'inbox.options'],
]

/** Sound, notifications and the keyboard shortcuts. */
export function InboxOptions({ onClose }: { onClose: () => void }) {
  const text = useText()
  const { page } = usePage().payload
  const [alerts, setAlerts] = useState(keptAlerts)
  const [keys, setKeys] = useState(shortcutsOn)
  const permission = notifyPermission()
  const blocked = useBlocked(permission === 'denied')
  const toggle = (alert: Alert): void => void toggleAlert(alert).then(setAlerts)
  return (
    <Dialog
      title={text('inbox.options')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{text('recovery.close')}</Button>}
    >
      <div className={css.options}>
        <Switch label={text('inbox.sound')} on={alerts.sound} onSwitch={() => toggle('sound')} />
        <Switch
          label={text('inbox.notify')}
          words={blocked}
          on={alerts.notify && permission === 'granted'}
          disabled={/denied|unsupported/.test(permission)}
          onSwitch={() => toggle('notify')}
        />
        {/* Only its owner's browser can read a fully private address, so a push could not say more than that. */}
        {page === 'home' ? <PushSwitch /> : null}
        <Switch
          label={text('keys.title')}
          on={keys}
          onSwitch={() => {
            switchShortcuts(!keys)
            setKeys(!keys)
          }}
        />
      </div>
      {keys ? (
        <dl className={css.keys}>
          {KEYS.map(([key, words]) => (
            <div key={key}>
              <dt>
                <kbd dir="ltr">{key}</kbd>
              </dt>
              <dd>{text(words)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </Dialog>
  )
}
