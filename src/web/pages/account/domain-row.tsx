import { useId, useState } from 'react'
import type { KeptAddressJson } from '#contract/kept-addresses.ts'
import type { OwnDomainJson } from '#contract/own-domains.ts'
import { accountApi } from '../../api/account-api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/lazy-dialogs.ts'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { dateFormat } from '../../i18n/dates.ts'
import { leftToRight } from '../../i18n/isolate.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { DnsRecords } from './dns-records.tsx'
import { DomainProblem } from './domain-problem.tsx'
import css from './domains.module.css'

interface Props {
  domain: OwnDomainJson
  addresses: readonly KeptAddressJson[]
  active: boolean
  onChange: (domain: OwnDomainJson) => void
  onRemove: (name: string) => Promise<void>
}

/** An own domain with its state. The DNS records are expanded until they are found. */
export function DomainRow({ domain, addresses, active, onChange, onRemove }: Props) {
  const text = useText()
  const { format } = useLanguage()
  const { busy, problem, attempt } = useAttempt()
  const [removing, setRemoving] = useState(false)
  const titleId = useId()
  const { name, state, checkedAt, records } = domain
  const checked = checkedAt && dateFormat(format, { day: 'long', time: true }).format(new Date(checkedAt))
  return (
    <li className={css.domain} aria-labelledby={titleId}>
      <div className={css.head}>
        <bdi id={titleId} dir="ltr" className={css.title}>
          {name}
        </bdi>
        <span className={css.state} data-state={state} role="status">
          {text(`account.domains.state.${state}`)}
        </span>
      </div>
      {state === 'verified' || state === 'stopped' ? (
        <details className={css.details}>
          <summary>{text('account.domains.records')}</summary>
          <DnsRecords records={records} />
        </details>
      ) : (
        <>
          <p className={css.words}>{text(`account.domains.${state}Text`)}</p>
          <DnsRecords records={records} />
        </>
      )}
      {state === 'pending' || state === 'stopped' ? null : (
        <CatchAll
          domain={domain}
          addresses={addresses}
          busy={busy}
          onChoose={(id) => void attempt(async () => onChange(await accountApi.setCatchAll(name, id)))}
        />
      )}
      <DomainProblem problem={problem} />
      <div className={css.actions}>
        {active ? (
          <Button
            className="needs-script"
            look={state === 'verified' ? 'plain' : 'main'}
            disabled={busy}
            onClick={() => void attempt(async () => onChange(await accountApi.checkDomain(name)))}
          >
            {text('account.domains.check')}
          </Button>
        ) : null}
        <Button className="needs-script" look="quiet" disabled={busy} onClick={() => setRemoving(true)}>
          {text('account.domains.remove')}
        </Button>
        {checked ? <span className={css.checked}>{text('account.domains.checked', { date: checked })}</span> : null}
      </div>
      {removing ? (
        <ConfirmDialog
          title={text('account.domains.removeTitle', { domain: leftToRight(name) })}
          words={text('account.domains.removeText')}
          confirm={text('account.domains.remove')}
          onClose={() => setRemoving(false)}
          onConfirm={() => attempt(() => onRemove(name))}
        />
      ) : null}
    </li>
  )
}

interface CatchAllProps {
  domain: OwnDomainJson
  addresses: readonly KeptAddressJson[]
  busy: boolean
  onChoose: (id: string | null) => void
}

function CatchAll({ domain, addresses, busy, onChoose }: CatchAllProps) {
  const text = useText()
  const id = useId()
  return (
    <div className={`${css.catchAll} needs-script`}>
      <label htmlFor={id}>{text('account.domains.catchAll')}</label>
      <select
        id={id}
        value={domain.catchAll ?? ''}
        disabled={busy}
        onChange={({ target }) => onChoose(target.value || null)}
      >
        <option value="">{text('account.domains.catchAllNone')}</option>
        {addresses
          .filter(({ alive }) => alive)
          .map((address) => (
            <option key={address.id} value={address.id} dir="ltr">
              {address.address}
            </option>
          ))}
      </select>
    </div>
  )
}
