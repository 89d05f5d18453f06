import type { ReactNode } from 'react'
import type { DeliveryJson, DeliveryListJson } from '#contract/deliveries.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { Time, TimeSentence } from '../../components/time.tsx'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import { dateFormat } from '../../i18n/dates.ts'
import { isolated } from '../../i18n/isolate.ts'
import { type MessageKey, useLanguage, useText } from '../../i18n/text.tsx'
import css from './deliveries.module.css'

interface Props {
  list: DeliveryListJson
  /** How many deliveries are shown. Default: all. */
  first?: number | undefined
  /** The button that shows the others. */
  more?: ReactNode
}

/** Lists the attempts to deliver mail to the address, with their results. */
export function DeliveryList({ list: { deliveries, since }, first, more }: Props) {
  const text = useText()
  return (
    <>
      <ul className={css.list} aria-live="polite">
        {deliveries.slice(0, first).map((each) => (
          <Entry key={`${each.messageId ?? each.firstAt} ${each.result}`} delivery={each} />
        ))}
      </ul>
      {first !== undefined && deliveries.length > first ? more : null}
      {deliveries.length === 0 ? <p className={css.none}>{text('deliveries.none')}</p> : null}
      <p className={css.since}>
        <TimeSentence words="deliveries.since" at={since} day="short" />
      </p>
    </>
  )
}

function Entry({ delivery }: { delivery: DeliveryJson }) {
  const text = useText()
  const { format } = useLanguage()
  const hydrated = useHydrated()
  const { at, firstAt, count, result, reply, server, senderDomain, verifiedDomain } = delivery
  const domain = verifiedDomain ?? senderDomain
  const isThere = result === 'received' || result === 'deleted'
  const firstTime = dateFormat(format, { day: 'short', time: true, zone: hydrated ? undefined : 'UTC' })
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
            domain: isolated(domain),
          })}
        </p>
      )}
      {count > 1 ? (
        <p className={css.details}>{text('deliveries.count', { count, time: firstTime.format(new Date(firstAt)) })}</p>
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

/** What the owner of the address can do now. */
export function Advice({ address, heading: Heading = 'h3' }: { address: string; heading?: 'h2' | 'h3' }) {
  const text = useText()
  return (
    <div className={css.advice}>
      <Heading>{text('deliveries.todo')}</Heading>
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
