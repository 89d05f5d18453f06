import type { MessageSummary } from '@mayfly/client'
import { Settings } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Logo } from '../../../../src/web/components/logo.tsx'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { browser } from '../browser.ts'
import { addressesOf, createAddress, currentOf, provideFirst } from '../state/addresses.ts'
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

/** The address of the site in the tab, or the current one. */
function shownFirst(state: State, origin: string): Held | undefined {
  const all = addressesOf(state)
  const filled = state.fills.findLast((fill) => fill.origin === origin)?.address
  return all.find(({ address }) => address === filled) ?? all.find(({ site }) => site === origin) ?? currentOf(state)
}

export function Popup({ state }: { state: State }) {
  const text = useText()
  const tab = useTab()
  const { busy, problem, run } = useAction()
  const [chosen, setChosen] = useState('')
  const all = addressesOf(state)
  const held = all.find(({ address }) => address === chosen) ?? shownFirst(state, tab?.origin ?? '') ?? all[0]

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
          all={all}
          tab={{ ...tab, fills: state.fills }}
          busy={busy}
          onChoose={setChosen}
          onNew={renew}
        />
      ) : problem ? null : (
        <p role="status">{text('home.preparing')}</p>
      )}
    </div>
  )
}

interface AddressProps {
  held: Held
  all: Held[]
  tab: PageOfTab
  busy: boolean
  onChoose: (address: string) => void
  onNew: () => void
}

function Address({ held: given, all, tab, busy, onChoose, onNew }: AddressProps) {
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
  if (view === 'change')
    return (
      <Change
        onBack={() => {
          onChoose('')
          setView('inbox')
        }}
      />
    )
  if (view === 'recovery') return <Recovery held={held} onBack={() => setView('inbox')} />
  return (
    <main>
      <Hero
        held={held}
        all={all}
        tab={tab}
        busy={busy}
        onChoose={onChoose}
        onNew={onNew}
        onChange={() => setView('change')}
        onRecovery={() => setView('recovery')}
      />
      <Inbox held={held} inbox={inbox} tab={tab} onOpen={setOpened} onNew={onNew} />
    </main>
  )
}
