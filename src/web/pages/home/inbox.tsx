import { Ellipsis } from 'lucide-react'
import { useCallback, useState } from 'react'
import { MINUTE } from '#core/time.ts'
import { lazyComponent } from '../../components/lazy.tsx'
import { Live } from '../../components/live.tsx'
import { Older } from '../../components/older.tsx'
import { toggled } from '../../hooks/inbox-state.ts'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import { useNow } from '../../hooks/use-now.ts'
import { useText } from '../../i18n/text.tsx'
import { DeliveriesLink } from '../deliveries/deliveries-link.tsx'
import { EmptyInbox } from './empty.tsx'
import { InboxRow } from './inbox-row.tsx'
import type { ListedInbox, ListView } from './list-view.ts'
import { focusBeside } from './rows.ts'
import css from './inbox.module.css'

// Not needed for the first paint.
const Tools = lazyComponent(async () => (await import('../../parts/list.ts')).InboxTools)
const Options = lazyComponent(async () => (await import('../../parts/dialogs.ts')).InboxOptions)

interface Props {
  inbox: ListedInbox
  /** Whether the address is being created. */
  preparing: boolean
  unread: number
}

/** The message table, or the notice that it is empty and waits for messages. */
export function InboxSection({ inbox, preparing, unread }: Props) {
  const text = useText()
  const hydrated = useHydrated()
  const now = useNow(MINUTE)
  const [{ filter, selected }, setView] = useState<ListView>({ filter: null, selected: null })
  const onView = useCallback((change: Partial<ListView>) => setView((view) => ({ ...view, ...change })), [])
  const [options, setOptions] = useState(false)
  const { messages, next, status, address, arrived, opening } = inbox
  const all = !next && !opening
  const shown = filter ? messages.filter(filter) : messages
  const select = (id: string): void => setView((view) => ({ ...view, selected: toggled(view.selected, id) }))
  return (
    <section className={css.inbox} data-listed={messages.length > 0} aria-labelledby="inbox-title">
      <div className={css.head}>
        <h2 id="inbox-title">{text('inbox.title')}</h2>
        {/* Only if all are loaded: otherwise there may be more. */}
        {unread > 0 && all ? <span className={css.unread}>{text('inbox.unread', { count: unread })}</span> : null}
        {address || preparing ? <Live status={status} arrived={arrived?.id} /> : null}
        {hydrated && messages.length > 0 ? (
          <Tools
            // The search for a message of one address ends with it.
            key={address?.address}
            inbox={inbox}
            shown={shown}
            view={{ filter, selected }}
            onView={onView}
            onHelp={() => setOptions(true)}
          />
        ) : null}
        {options ? <Options onClose={() => setOptions(false)} /> : null}
        <button
          type="button"
          className={`${css.tool} ${css.options} needs-script`}
          aria-label={text('inbox.options')}
          title={text('inbox.options')}
          onClick={() => setOptions(true)}
        >
          <Ellipsis size={20} aria-hidden />
        </button>
      </div>
      <div className={css.sheet}>
        {messages.length === 0 && !opening ? (
          <EmptyInbox listening={status === 'live'} waiting={!inbox.ended} />
        ) : shown.length === 0 ? null : (
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">{text('inbox.sender')}</th>
                <th scope="col">{text('inbox.subject')}</th>
                <th scope="col" className={css.last}>
                  {text('inbox.view')}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((message) => (
                <InboxRow
                  key={message.id}
                  message={message}
                  now={now}
                  endsAt={address?.expiresAt}
                  isNew={arrived?.id === message.id}
                  selected={selected?.has(message.id)}
                  onSelect={select}
                  onRemove={(id) => {
                    focusBeside([id])
                    void inbox.remove(id)
                  }}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
      {next ? (
        <p className={css.more}>
          <Older before={next} busy={inbox.busy} onClick={() => void inbox.attempt(inbox.older)} />
        </p>
      ) : null}
      {inbox.deliveries && !inbox.ended ? (
        // Reserves its space, so that nothing moves when the address arrives.
        <div className={address ? undefined : css.expected}>
          <DeliveriesLink inbox={inbox} address={address?.address ?? ''} />
        </div>
      ) : null}
    </section>
  )
}
