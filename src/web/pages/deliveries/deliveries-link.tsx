import { ChevronDown } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { DeliveryListJson } from '#contract/deliveries.ts'
import { lazyComponent } from '../../components/lazy.tsx'
import type { InboxState } from '../../hooks/inbox-state.ts'
import { useText } from '../../i18n/text.tsx'
import css from './deliveries.module.css'

const Deliveries = lazyComponent(async () => (await import('./deliveries.tsx')).Deliveries)

/** How the list of an inbox is read. Null until the inbox is open. */
export interface DeliveriesSource {
  deliveries: (() => Promise<DeliveryListJson>) | null
}

export interface DeliveriesProps {
  inbox: Pick<InboxState, 'messages' | 'failures'> & DeliveriesSource
  address: string
}

/** "Where is my email?": shows on demand what the receiver saw for the address. */
export function DeliveriesLink(props: DeliveriesProps) {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={`${css.deliveries} needs-script`}>
      <button type="button" className={css.opener} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {text('inbox.where')}
        <ChevronDown size={18} aria-hidden />
      </button>
      {isOpen ? (
        <Suspense>
          <Deliveries {...props} />
        </Suspense>
      ) : null}
    </div>
  )
}
