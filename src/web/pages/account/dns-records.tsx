import { Check, Clock } from 'lucide-react'
import type { OwnDomainJson } from '#contract/own-domains.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { useText } from '../../i18n/text.tsx'
import css from './domains.module.css'

/** DNS records to create. Each field has a Copy button. */
export function DnsRecords({ records }: Pick<OwnDomainJson, 'records'>) {
  const text = useText()
  return (
    <ul className={css.records}>
      {records.map(({ type, name, value, priority, found }) => (
        <li key={type}>
          <p className={css.record}>
            <strong>{type}</strong>
            <span className={css.found} data-found={found}>
              {found ? <Check size={16} aria-hidden /> : <Clock size={16} aria-hidden />}
              {text(found ? 'account.domains.found' : 'account.domains.missing')}
            </span>
          </p>
          <dl className={css.fields}>
            <Item label={text('account.domains.name')} value={name} />
            <Item label={text('account.domains.value')} value={value} />
            {priority === null ? null : (
              <>
                <dt>{text('account.domains.priority')}</dt>
                <dd>
                  <code dir="ltr">{priority}</code>
                </dd>
              </>
            )}
          </dl>
        </li>
      ))}
    </ul>
  )
}

function Item({ label, value }: { label: string; value: string }) {
  const text = useText()
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <code dir="ltr">{value}</code>
        <CopyButton look="plain" value={value} label={text('account.domains.copy', { value })} className={css.copy}>
          {text('address.copy')}
        </CopyButton>
      </dd>
    </>
  )
}
