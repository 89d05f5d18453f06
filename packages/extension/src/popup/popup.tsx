import type { MessageSummary } from '@mayfly/client'
import { Settings } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Logo } from '../../../../src/web/components/logo.tsx'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { startConnecting } from '../background/connect.ts'
import { browser } from '../browser.ts'
import { addressesOf, addressShown, createAddress, provideFirst } from '../state/addresses.ts'
import type { Held, State } from '../state/state.ts'
import { useAction } from '../ui/use-action.ts'
import { Change } from './change.tsx'
import type { PageOfTab } from './found.tsx'
import { Hero } from './hero.tsx'
import { Inbox } from './inbox.tsx'
import { MessageView } from './message.tsx'
import { Recovery } from './recovery.tsx'
import { useInbox } from './use-inbox.ts'
import css from './popup.module.css'

interface Tab {
  id: number | undefined
  origin: string
}

/** The active tab. Opening the popup by its button gives access to it. */
function useTab(): Tab | undefined {
  const [tab, setTab] = useState<Tab>()
  useEffect(() => {
    void browser.tabs
      .query({ active: true, currentWindow: true })
      .then(([active]) => setTab({ id: active?.id, origin: URL.parse(active?.url ?? '')?.origin ?? '' }))
  }, [])
  return tab
}

export function Popup({ state }: { state: State }) {
  const text = useText()
  const tab = useTab()
  const { busy, problem, run } = useAction()
  const [chosen, setChosen] = useState('')
  const all = addressesOf(state)
  const picked = all.find(({ address }) => address === chosen)
  const held = picked ?? addressShown(state, tab?.origin ?? '')

  const renew = (): void =>
    run(async () => {
      const { address } = await createAddress()
      setChosen(address)
    })

  // A visitor who opens the popup gets an address, as on the site.
  const isEmpty = all.length === 0
  useEffect(() => {
    if (isEmpty) run(provideFirst)
  }, [isEmpty, run])

  return (
    <div className={css.popup}>
      <header className={css.head}>
        <Logo size={28} />
        <span>{text('site.name')}</span>
        <button
          type="button"
          className={css.gear}
          title={text('extension.options')}
          aria-label={text('extension.options')}
          onClick={() => void browser.runtime.openOptionsPage().then(() => close())}
        >
          <Settings size={20} aria-hidden />
        </button>
      </header>
      {problem ? <p role="alert">{problem}</p> : null}
      {held && tab ? (
        <Address
          key={`${held.service} ${held.address} ${held.secret}`}
          held={held}
          picked={picked}
          all={all}
          tab={{ ...tab, fills: state.fills }}
          busy={busy}
          onChoose={setChosen}
          onNew={renew}
          onConnect={() => run(() => startConnecting(state.settings))}
        />
      ) : problem ? null : (
        <p role="status">{text('home.preparing')}</p>
      )}
    </div>
  )
}

interface AddressProps {
  held: Held
  /** The address if the visitor has chosen or made it here. */
  picked: Held | undefined
  all: Held[]
  tab: PageOfTab
  busy: boolean
  onChoose: (address: string) => void
  onNew: () => void
  onConnect: () => void
}

function Address({ held: given, picked, all, tab, busy, onChoose, onNew, onConnect }: AddressProps) {
  // The state is read anew after each change, the address stays the same.
  const [held] = useState(given)
  const [view, setView] = useState<'inbox' | 'change' | 'recovery'>('inbox')
  const [opened, setOpened] = useState<MessageSummary>()
  const inbox = useInbox(held)
  if (opened)
    return (
      <MessageView
        held={held}
        summary={opened}
        tab={tab}
        onBack={() => setOpened(undefined)}
        change={inbox.change}
        onDeleted={() => {
          inbox.change(opened.id, null)
          setOpened(undefined)
        }}
      />
    )
  if (view === 'change') return <Change onBack={() => setView('inbox')} onMade={onChoose} />
  if (view === 'recovery') return <Recovery held={held} onBack={() => setView('inbox')} />
  return (
    <main>
      <Hero
        held={held}
        picked={picked}
        all={all}
        tab={tab}
        busy={busy}
        onChoose={onChoose}
        onNew={onNew}
        onChange={() => setView('change')}
        onRecovery={() => setView('recovery')}
      />
      <Inbox held={held} inbox={inbox} tab={tab} onOpen={setOpened} onNew={onNew} onConnect={onConnect} />
    </main>
  )
}
