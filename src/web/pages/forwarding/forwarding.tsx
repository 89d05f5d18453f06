import { useEffect, useRef, useState } from 'react'
import type { ForwardingJson } from '#contract/forwarding.ts'
import { pathIn } from '#locales/languages.ts'
import { forwardingApi } from '../../api/forwarding-api.ts'
import { usePayload } from '../../app/page.tsx'
import { buttonClass } from '../../components/button.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useShown } from '../../hooks/use-shown.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { Ask } from './ask.tsx'
import { Destination } from './destination.tsx'
import { Ended } from './ended.tsx'
import { Log } from './log.tsx'
import { useForwardings } from './use-forwardings.ts'
import css from './forwarding.module.css'

/** The destinations of the visitor's address, their settings and the forwarding log. */
export function Forwarding() {
  const text = useText()
  const { code } = useLanguage()
  const { data, query, problem: first } = usePayload('forwarding')
  useShown(data.address ?? '')
  const { list, log, load, more } = useForwardings(data, query.before !== undefined)
  // A problem that the form shows is not repeated below it.
  const { busy, problem, attempt } = useAttempt(data.draft ? null : first)
  /** Id of the forwarding that was just added on this page. */
  const [added, setAdded] = useState<string | null>(null)
  const showAdded = async ({ id }: ForwardingJson): Promise<void> => {
    setAdded(id)
    await load()
  }
  const heading = useRef<HTMLHeadingElement>(null)
  const changed = useRef(false)
  /** Runs a change and reloads the list even if it failed, because the shown state may be outdated. */
  const change = (work: () => Promise<unknown>): Promise<boolean> => {
    changed.current = true
    return attempt(() => work().finally(() => void load().catch(() => {})))
  }
  // The button that had the focus may have been removed with its forwarding.
  useEffect(() => {
    if (changed.current && document.activeElement === document.body) heading.current?.focus()
    changed.current = false
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs for each new list
  }, [list])

  if (data.address === null || list === null) {
    return (
      <Notice title={text('forwarding.noAddress')} words={text('forwarding.noAddressText')}>
        <Link className={buttonClass('main')} href={pathIn(code, '/')}>
          {text('home.getAddress')}
        </Link>
      </Notice>
    )
  }

  const { available, forwardings, max } = list
  const running = forwardings.filter(({ state }) => state !== 'ended')
  const ended = forwardings.filter(({ state }) => state === 'ended')
  const room = available !== 'none' && running.length < max
  return (
    <div className={css.forwarding}>
      <header className={css.head}>
        <h1 ref={heading} tabIndex={-1}>
          {text('forwarding.title')}
        </h1>
        {available === 'none' ? null : <p>{text('forwarding.text')}</p>}
      </header>
      {available === 'relay' ? null : (
        <aside className={css.notice}>
          <p>
            <strong>{text(available === 'none' ? 'forwarding.none' : 'forwarding.outbox')}</strong>{' '}
            {text(available === 'none' ? 'forwarding.noneText' : 'forwarding.outboxText')}
            {available === 'none' ? null : (
              <>
                {' '}
                <code dir="ltr">npx mayfly outbox</code>
              </>
            )}
          </p>
        </aside>
      )}
      <p className={css.address}>
        <EmailAddress>{data.address}</EmailAddress>
      </p>
      <ul className={css.destinations}>
        {running.map((forwarding) => (
          <Destination
            key={forwarding.id}
            forwarding={forwarding}
            isNew={forwarding.id === added}
            busy={busy}
            onChange={change}
          />
        ))}
        {room ? (
          <li className={css.destination} data-state="free">
            <Ask list={list} data={data} first={data.draft ? first : null} onAdded={showAdded} />
          </li>
        ) : null}
      </ul>
      <ProblemLine problem={problem} />
      {room || available === 'none' ? null : <p className={css.limits}>{text('forwarding.full', { max })}</p>}
      {data.premium === null || available === 'none' ? null : (
        <p className={css.limits}>
          {text('forwarding.premium', { count: data.premium })}{' '}
          <Link href={pathIn(code, '/premium')}>{text('limit.more')}</Link>
        </p>
      )}
      <Ended
        forwardings={ended}
        startable={room}
        busy={busy}
        onRestart={(id) => void change(async () => setAdded((await forwardingApi.restart(id)).id))}
        onRemove={(id) => void change(() => forwardingApi.remove(id))}
      />
      {log && (forwardings.length > 0 || log.entries.length > 0) ? (
        <Log log={log} onMore={() => attempt(more)} busy={busy} />
      ) : null}
      <p className={css.back}>
        <Link href={pathIn(code, '/')}>{text('change.back')}</Link>
      </p>
    </div>
  )
}
