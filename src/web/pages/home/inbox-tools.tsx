import { CheckCheck, ListChecks, Search, Trash2, X } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { SECOND } from '#core/time.ts'
import { Button } from '../../components/button.tsx'
import { waitOf } from '../../components/problem-line.tsx'
import { toggled } from '../../hooks/inbox-state.ts'
import { useText } from '../../i18n/text.tsx'
import type { ListedInbox, ListView } from './list-view.ts'
import { focusBeside } from './rows.ts'
import { type Kind, KINDS, matches } from './search.ts'
import { useListShortcuts } from './shortcuts.ts'
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
  const [searching, setSearching] = useState(false)
  const [query, setQuery] = useState('')
  /** Where the older messages begin that could not be loaded for the search. */
  const [failedAt, setFailedAt] = useState<string | null>(null)
  const [kinds, setKinds] = useState<ReadonlySet<Kind>>(new Set())
  const field = useRef<HTMLInputElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const { older, next, busy, problem } = inbox

  function search(words: string, only: ReadonlySet<Kind>): void {
    setQuery(words)
    setKinds(only)
    setFailedAt(null)
    onView({ filter: words.trim() === '' && only.size === 0 ? null : (message) => matches(message, words, only) })
  }
  function close(): void {
    setSearching(false)
    search('', new Set())
  }
  function open(): void {
    setSearching(true)
    field.current?.focus()
  }
  useEffect(() => {
    if (searching) field.current?.focus()
  }, [searching])

  // Resets filter and selection with the tools, because nothing else shows why messages are missing from the list.
  useEffect(() => () => onView({ filter: null, selected: null }), [onView])

  // Loads all older messages, because they may match too. After a failure, it waits until the limit or the problem is over,
  // or until the visitor changes the search.
  useEffect(() => {
    if (problem === null) setFailedAt(null)
  }, [problem])
  const hasFailed = next !== null && next === failedAt
  const limited = hasFailed ? problem : null
  useEffect(() => {
    const wait = waitOf(limited)
    if (wait === undefined) return undefined
    const timer = setTimeout(() => setFailedAt(null), wait * SECOND)
    return () => clearTimeout(timer)
  }, [limited])
  const wantsOlder = filter !== null && next !== null && !hasFailed
  useEffect(() => {
    async function load(): Promise<void> {
      if (!(await older())) setFailedAt(next)
    }
    if (wantsOlder && !busy) void load()
  }, [wantsOlder, next, busy, older])

  const chosen = shown.filter(({ id }) => selected?.has(id)).map(({ id }) => id)
  useListShortcuts({ messages: shown, onRemove: inbox.remove, onSearch: open, onHelp })

  return (
    <>
      <div className={css.tools}>
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
      {searching ? (
        <search className={css.bar}>
          <input
            ref={field}
            type="search"
            className={css.field}
            aria-label={text('search.label')}
            placeholder={text('search.label')}
            value={query}
            onChange={(event) => search(event.currentTarget.value, kinds)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              close()
              opener.current?.focus()
            }}
          />
          {KINDS.map((kind) => (
            <button
              key={kind}
              type="button"
              className={css.filter}
              aria-pressed={kinds.has(kind)}
              onClick={() => search(query, toggled(kinds, kind))}
            >
              {text(`search.${kind}`)}
            </button>
          ))}
          <p className="quiet" role="status">
            {filter && !hasFailed && (shown.length > 0 || !next) ? text('search.found', { count: shown.length }) : ''}
          </p>
        </search>
      ) : null}
      {selected ? (
        <div className={css.bar} role="group" aria-label={text('select.open')}>
          <span className={css.count} role="status">
            {text('select.count', { count: chosen.length })}
          </span>
          <Button
            look="quiet"
            icon={<CheckCheck size={18} aria-hidden />}
            onClick={() => onView({ selected: new Set(chosen.length < shown.length ? shown.map(({ id }) => id) : []) })}
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
        </div>
      ) : null}
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
