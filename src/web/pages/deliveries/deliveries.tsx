import { useCallback, useEffect, useState } from 'react'
import type { DeliveryJson, DeliveryListJson } from '#contract/deliveries.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { Time, TimeSentence } from '../../components/time.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { dateFormat } from '../../i18n/dates.ts'
import { loadMessages } from '../../i18n/messages.ts'
import { type MessageKey, TextProvider, useLanguage, useText } from '../../i18n/text.tsx'
import type { DeliveriesProps } from './deliveries-props.ts'
import css from './deliveries.module.css'

/** How many deliveries are shown at first. */
const FIRST = 5
/** The pause before the list is read again, in milliseconds, so that many changes at once cost one request. */
const PAUSE = 400

/** What the receiver saw for the address, live, and what its owner can do now. Loads its texts. */
export function Deliveries(props: DeliveriesProps) {
  const { code } = useLanguage()
  const load = useCallback(() => loadMessages(code, 'home', 'deliveries'), [code])
  const { loaded, problem } = useLoaded(load)
  if (!loaded) return <ProblemLine problem={problem} />
  return (
    <TextProvider code={code} messages={loaded}>
      <Panel {...props} />
    </TextProvider>
  )
}

function Panel({ inbox: { deliveries: read, messages, failures }, address }: DeliveriesProps) {
  const text = useText()
  const { problem, attempt } = useAttempt()
  const [all, setAll] = useState(false)
  const [list, setList] = useState<DeliveryListJson | null>(null)
  const isFirst = list === null
  useEffect(() => {
    if (!read) return undefined
    const timer = setTimeout(() => void attempt(async () => setList(await read())), isFirst ? 0 : PAUSE)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- the list is read again whenever these change
  }, [read, messages, failures, attempt])
  return (
    <div className={css.panel} data-deliveries>
      <div className={css.seen}>
        <ProblemLine problem={problem} />
        {list ? (
          <>
            <ul className={css.list} aria-live="polite">
              {list.deliveries.slice(0, all ? undefined : FIRST).map((each) => (
                <Entry key={`${each.messageId ?? each.firstAt} ${each.result}`} delivery={each} />
              ))}
            </ul>
            {list.deliveries.length > FIRST && !all ? (
              <Button look="quiet" onClick={() => setAll(true)}>
                {text('inbox.more')}
              </Button>
            ) : null}
            {list.deliveries.length === 0 ? <p className={css.none}>{text('deliveries.none')}</p> : null}
            <p className={css.since}>
              <TimeSentence words="deliveries.since" at={list.since} day="short" />
            </p>
          </>
        ) : null}
      </div>
      <Advice address={address} />
    </div>
  )
}

function Entry({ delivery }: { delivery: DeliveryJson }) {
  const text = useText()
  const { format } = useLanguage()
  const { at, firstAt, count, result, reply, server, senderDomain, verifiedDomain } = delivery
  const domain = verifiedDomain ?? senderDomain
  const isThere = result === 'received' || result === 'deleted'
  return (
    <li className={css.entry} data-result={result}>
      <p className={css.head}>
        <strong>{text(`deliveries.${result}`)}</strong>
        <Time at={at} />
      </p>
      {isThere ? null : <p>{text(`deliveries.${result}.text` as MessageKey)}</p>}
      {domain === null ? null : (
        <p className={css.sender}>
          {text(verifiedDomain === null ? 'deliveries.unverified' : 'deliveries.verified', {
            domain: `\u2068${domain}\u2069`,
          })}
        </p>
      )}
      {count > 1 ? (
        <p className={css.details}>
          {text('deliveries.count', {
            count,
            time: dateFormat(format, { day: 'short', time: true, zone: undefined }).format(new Date(firstAt)),
          })}
        </p>
      ) : null}
      {server ? (
        <p className={css.details}>
          <bdi dir="ltr">{[server.name, server.network].filter(Boolean).join(' · ')}</bdi>
        </p>
      ) : null}
      {reply === null || isThere ? null : (
        <p className={css.details}>
          <bdi dir="ltr" lang="en">
            {reply}
          </bdi>
        </p>
      )}
    </li>
  )
}

function Advice({ address }: Pick<DeliveriesProps, 'address'>) {
  const text = useText()
  return (
    <div className={css.advice}>
      <h3>{text('deliveries.todo')}</h3>
      <ul>
        <li>{text('deliveries.wait')}</li>
        <li>{text('deliveries.again')}</li>
        <li>
          {text('deliveries.spelling')}
          <span className={css.address}>
            <EmailAddress>{address}</EmailAddress>
            <CopyButton look="plain" value={address}>
              {text('address.copy')}
            </CopyButton>
          </span>
        </li>
        <li>{text('deliveries.blocked')}</li>
      </ul>
    </div>
  )
}
