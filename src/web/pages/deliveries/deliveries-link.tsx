import { useState } from 'react'
import { lazyComponent } from '../../components/lazy.tsx'
import { useText } from '../../i18n/text.tsx'
import type { DeliveriesProps } from './deliveries-props.ts'
import css from './deliveries-link.module.css'

const Panel = lazyComponent(async () => (await import('./panel.tsx')).DeliveriesPanel)

/** "Where is my email?": shows on demand what the receiver saw for the address. Without JavaScript on another page. */
export function DeliveriesLink(props: DeliveriesProps) {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <details className={`${css.deliveries} needs-script`} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={css.opener}>{text('inbox.where')}</summary>
        {isOpen ? <Panel {...props} /> : null}
      </details>
      <a className="without-script" href="?show=deliveries">
        {text('inbox.where')}
      </a>
    </>
  )
}
