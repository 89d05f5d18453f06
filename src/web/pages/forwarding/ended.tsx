import { useId } from 'react'
import type { ForwardingJson } from '#contract/forwarding.ts'
import { EmailAddress } from '../../components/email-address.tsx'
import { useText } from '../../i18n/text.tsx'
import { ActionButton } from './action-button.tsx'
import css from './forwarding.module.css'
import list from './list.module.css'

interface Props {
  forwardings: readonly ForwardingJson[]
  /** Whether a forwarding can be restarted within the limit. */
  startable: boolean
  busy: boolean
  onRestart: (id: string) => void
  onRemove: (id: string) => void
}

/** The ended forwardings with the reason. Renders nothing if there are none. */
export function Ended({ forwardings, startable, busy, onRestart, onRemove }: Props) {
  const text = useText()
  const id = useId()
  if (forwardings.length === 0) return null
  return (
    <section className={list.section} aria-labelledby={id}>
      <h2 id={id}>{text('forwarding.state.ended')}</h2>
      <ul className={list.rows}>
        {forwardings.toReversed().map(({ id: one, destination, end }) => (
          <li key={one}>
            <span className={list.main}>
              <span>
                <EmailAddress>{destination}</EmailAddress>
              </span>
              <span>{text(end === 'replaced' ? 'recovery.replaced' : `forwarding.ended.${end ?? 'stopped'}`)}</span>
            </span>
            <span className={css.buttons}>
              {startable ? (
                <ActionButton act="forwarding-restart" id={one} busy={busy} onAct={() => onRestart(one)}>
                  {text('forwarding.restart')}
                </ActionButton>
              ) : null}
              <ActionButton act="forwarding-end" id={one} busy={busy} look="quiet" onAct={() => onRemove(one)}>
                {text('forwarding.remove')}
              </ActionButton>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
