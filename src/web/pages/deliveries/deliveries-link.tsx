import { ChevronDown } from 'lucide-react'
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
