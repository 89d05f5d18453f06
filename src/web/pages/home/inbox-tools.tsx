import { CheckCheck, ListChecks, Search, Trash2, X } from 'lucide-react'
import { type ReactNode, type Ref, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { Button } from '../../components/button.tsx'
import { toggled } from '../../hooks/inbox-state.ts'
import { isPressed } from '../../hooks/is-pressed.ts'
import { useOlder } from '../../hooks/use-older.ts'
import { useText } from '../../i18n/text.tsx'
import type { ListedInbox, ListView } from './list-view.ts'
import { focusBeside } from './rows.ts'
import { KINDS } from './search.ts'
import { useListShortcuts } from './shortcuts.ts'
import { useSearch } from './use-search.ts'
import own from './inbox-tools.module.css'
import css from './inbox.module.css'

interface Props {
  inbox: ListedInbox
  /** The messages that the filter shows. */
  shown: readonly MessageSummaryJson[]
  view: ListView
  onView: (change: Partial<ListView>) => void
  onHelp: () => void
}

/** Search, filters and the selection of several messages, with their keyboard shortcuts. */
export function InboxTools({ inbox, shown, view: { filter, selected }, onView, onHelp }: Props) {
  const text = useText()
  const { search, setSearch, close, busy } = useSearch(inbox, onView)
  const { open: searching, query, kinds } = search
  const field = useRef<HTMLInputElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const [tools, setTools] = useState<HTMLElement | null>(null)
  /** The bars of search and selection are rendered at the end of the head, so that the focus follows the visible order. */
  const head = tools?.parentElement
  const sheet = head?.nextElementSibling
  const { next, opening } = inbox
  /** Whether no other message can match. */
  const complete = !(next || opening || busy)

  function open(): void {
    flushSync(() => setSearch({ ...search, open: true }))
    field.current?.focus()
  }

  // Loads all older messages, because they may match too.
  useOlder(inbox, filter !== null)

  const chosen = shown.filter(({ id }) => selected?.has(id)).map(({ id }) => id)
  useListShortcuts({ messages: shown, onRemove: inbox.remove, onSearch: open, onHelp })

  return (
    <>
      <div ref={setTools} className={css.tools}>
        <Tool ref={opener} label={text('search.open')} on={searching} onClick={searching ? close : open}>
          <Search size={18} aria-hidden />
        </Tool>
        <Tool
          label={text('select.open')}
          on={selected !== null}
          onClick={() => onView({ selected: selected ? null : new Set() })}
        >
          <ListChecks size={20} aria-hidden />
        </Tool>
      </div>
      {head && searching
        ? createPortal(
            <search className={own.bar}>
              <input
                ref={field}
                type="search"
                className={own.field}
                aria-label={text('search.label')}
                placeholder={text('search.label')}
                value={query}
                onChange={(event) => setSearch({ ...search, query: event.currentTarget.value })}
                onKeyDown={(event) => {
                  if (!isPressed('Escape', event.nativeEvent)) return
                  close()
                  opener.current?.focus()
                }}
              />
              {KINDS.map((kind) => (
                <button
                  key={kind}
                  type="button"
                  className={own.filter}
                  aria-pressed={kinds.has(kind)}
                  onClick={() => setSearch({ ...search, kinds: toggled(kinds, kind) })}
                >
                  {text(`search.${kind}`)}
                </button>
              ))}
              <p className="quiet" role="status">
                {filter && (shown.length > 0 || complete) ? text('search.found', { count: shown.length }) : ''}
              </p>
            </search>,
            head,
          )
        : null}
      {sheet && shown.length === 0 && complete
        ? createPortal(<p className={own.none}>{text('search.none')}</p>, sheet)
        : null}
      {head && selected
        ? createPortal(
            <div className={own.bar} role="group" aria-label={text('select.open')}>
              <span className={own.count} role="status">
                {text('select.count', { count: chosen.length })}
              </span>
              <Button
                look="quiet"
                icon={<CheckCheck size={18} aria-hidden />}
                onClick={() =>
                  onView({ selected: new Set(chosen.length < shown.length ? shown.map(({ id }) => id) : []) })
                }
              >
                {text('select.all')}
              </Button>
              <Button
                look="danger"
                icon={<Trash2 size={18} aria-hidden />}
                disabled={chosen.length === 0}
                onClick={() => {
                  focusBeside(chosen)
                  void inbox.remove(...chosen)
                  onView({ selected: null })
                }}
              >
                {text('select.delete')}
              </Button>
              <Button look="quiet" icon={<X size={18} aria-hidden />} onClick={() => onView({ selected: null })}>
                {text('select.done')}
              </Button>
            </div>,
            head,
          )
        : null}
    </>
  )
}

interface ToolProps {
  ref?: Ref<HTMLButtonElement>
  label: string
  on: boolean
  onClick: () => void
  children: ReactNode
}

function Tool({ ref, label, on, onClick, children }: ToolProps) {
  return (
    <button
      ref={ref}
      type="button"
      className={css.tool}
      aria-pressed={on}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
