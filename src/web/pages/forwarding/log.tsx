import { useId } from 'react'
import type { ForwardingLogEntryJson, ForwardingLogJson } from '#contract/forwarding.ts'
import { pathIn } from '#locales/languages.ts'
import { EmailAddress } from '../../components/email-address.tsx'
import { Link } from '../../components/link.tsx'
import { Older } from '../../components/older.tsx'
import { senderName } from '../../components/sender.ts'
import { Time } from '../../components/time.tsx'
import { TimeSentence } from '../../components/time.tsx'
import { useLanguage, useText } from '../../i18n/text.tsx'
import css from './forwarding.module.css'
import list from './list.module.css'

interface Props {
  log: ForwardingLogJson
  onMore: () => void
  busy: boolean
}

/** The forwarding log, newest first. */
export function Log({ log: { entries, next }, onMore, busy }: Props) {
  const text = useText()
  const id = useId()
  const several = new Set(entries.map(({ destination }) => destination)).size > 1
  return (
    <section className={list.section} aria-labelledby={id}>
      <h2 id={id}>{text('forwarding.log')}</h2>
      {entries.length === 0 ? <p className={list.soft}>{text('forwarding.log.none')}</p> : null}
      <ul className={list.rows}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} named={several} />
        ))}
      </ul>
      {next === null ? null : (
        <p className={list.more}>
          <Older before={next} busy={busy} onClick={onMore} />
        </p>
      )}
      {entries.length === 0 ? null : <p className={list.soft}>{text('forwarding.log.stays')}</p>}
    </section>
  )
}

/**
 * Outcomes that are shown as failures: the destination's server caused them. Messages that Mayfly held back are
 * expected.
 */
const FAILED: ReadonlySet<ForwardingLogEntryJson['outcome']> = new Set(['refused', 'given-up', 'no-mail'])

interface EntryProps {
  entry: ForwardingLogEntryJson
  /** Whether the destination is named in the entry. */
  named: boolean
}

function Entry({ entry: { destination, at, outcome, status, nextTryAt, message }, named }: EntryProps) {
  const text = useText()
  const { code } = useLanguage()
  const state = outcome === null ? 'waits' : outcome === 'sent' ? 'sent' : 'not'
  return (
    <li data-outcome={FAILED.has(outcome) ? 'failed' : state}>
      <span className={list.main}>
        {message ? (
          <>
            <Link href={pathIn(code, `/?message=${message.id}`)}>
              <bdi>{message.subject || text('inbox.noSubject')}</bdi>
            </Link>
            <span>
              <bdi>{senderName(message.from) || text('inbox.noSender')}</bdi>
            </span>
          </>
        ) : (
          <span className={list.gone}>{text('forwarding.log.gone')}</span>
        )}
      </span>
      <span className={list.result}>
        <span className={css.mark}>{text(`forwarding.log.${state}`)}</span>
        <Time at={at} />
      </span>
      <p className={list.reason}>
        {destination === null || !named ? null : <EmailAddress>{destination}</EmailAddress>}
        {outcome === null && nextTryAt !== null ? (
          <span>
            <TimeSentence words="forwarding.log.next" at={nextTryAt} day="short" />
          </span>
        ) : null}
        {outcome === null || outcome === 'sent' ? null : (
          <span>
            {text(`forwarding.why.${outcome}`)}
            {status === null ? null : <> ({status})</>}
          </span>
        )}
      </p>
    </li>
  )
}
