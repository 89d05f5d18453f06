import { Suspense, useState } from 'react'
import { lazyComponent } from '../../components/lazy.tsx'
import { useText } from '../../i18n/text.tsx'
import type { DeliveriesProps } from './deliveries-props.ts'
import css from './deliveries.module.css'

const Deliveries = lazyComponent(async () => (await import('./deliveries.tsx')).Deliveries)

/** "Where is my email?": shows on demand what the receiver saw for the address. */
export function DeliveriesLink(props: DeliveriesProps) {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={`${css.deliveries} needs-script`} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={css.opener}>{text('inbox.where')}</summary>
      {isOpen ? (
        <Suspense>
          <Deliveries {...props} />
        </Suspense>
      ) : null}
    </details>
  )
}
