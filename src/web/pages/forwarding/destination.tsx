import { useEffect, useRef, useState } from 'react'
import type { ForwardingJson } from '#contract/forwarding.ts'
import { forwardingApi } from '../../api/forwarding-api.ts'
import { EmailAddress } from '../../components/email-address.tsx'
import { ConfirmDialog } from '../../components/lazy-dialogs.ts'
import { TimeSentence } from '../../components/time.tsx'
import { useText } from '../../i18n/text.tsx'
import { ActionButton } from './action-button.tsx'
import css from './forwarding.module.css'

const UNTIL = {
  waiting: 'forwarding.waiting',
  on: 'forwarding.until',
  paused: 'forwarding.pausedUntil',
  ended: 'forwarding.until',
} as const

interface Props {
  forwarding: ForwardingJson
  /** Whether it was just added on this page. */
  isNew: boolean
  busy: boolean
  onChange: (work: () => Promise<unknown>) => Promise<boolean>
}

/** A destination with its state, its end and its actions. */
export function Destination({ forwarding: { id, destination, state, endsAt }, isNew, busy, onChange }: Props) {
  const text = useText()
  const [ending, setEnding] = useState(false)
  const name = useRef<HTMLHeadingElement>(null)
  const waiting = state === 'waiting'
  const paused = state === 'paused'

  // The button that had the focus may be gone, so the new destination gets it.
  useEffect(() => {
    if (isNew) name.current?.focus()
  }, [isNew])

  return (
    <li className={css.destination} data-state={state}>
      <article className={css.card} aria-labelledby={`forwarding-${id}`}>
        <header className={css.title}>
          <h2 id={`forwarding-${id}`} ref={name} tabIndex={-1}>
            <EmailAddress>{destination}</EmailAddress>
          </h2>
          <span className={css.mark} role="status">
            {text(`forwarding.state.${state}`)}
          </span>
        </header>
        <p>
          {endsAt === null ? (
            text(paused ? 'forwarding.paused' : 'forwarding.subscription')
          ) : (
            <TimeSentence words={UNTIL[state]} at={endsAt} />
          )}
        </p>
        {waiting ? <p className={css.soft}>{text('forwarding.waitingHelp')}</p> : null}
        <div className={css.buttons}>
          {waiting ? null : (
            <ActionButton
              act="forwarding-pause"
              id={id}
              paused={!paused}
              busy={busy}
              onAct={() => void onChange(() => forwardingApi.pause(id, !paused))}
            >
              {text(paused ? 'forwarding.resume' : 'forwarding.pause')}
            </ActionButton>
          )}
          <ActionButton
            act="forwarding-end"
            id={id}
            remove={false}
            busy={busy}
            look={waiting ? 'plain' : 'quiet'}
            onAct={() => (waiting ? void onChange(() => forwardingApi.end(id)) : setEnding(true))}
          >
            {text(waiting ? 'forwarding.withdraw' : 'forwarding.end')}
          </ActionButton>
        </div>
      </article>
      {ending ? (
        <ConfirmDialog
          title={text('forwarding.endTitle')}
          words={text('forwarding.endText', { destination })}
          confirm={text('forwarding.end')}
          onClose={() => setEnding(false)}
          onConfirm={() => onChange(() => forwardingApi.end(id))}
        />
      ) : null}
    </li>
  )
}
