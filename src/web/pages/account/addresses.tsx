import { useState } from 'react'
import type { AccountJson } from '#contract/account.ts'
import type { KeptAddressJson } from '#contract/kept-addresses.ts'
import type { Problem } from '#contract/pages.ts'
import { pathIn } from '#locales/languages.ts'
import { accountApi } from '../../api/account-api.ts'
import { usePage } from '../../app/page.tsx'
import { buttonClass } from '../../components/button.tsx'
import { AddressDialog, ConfirmDialog } from '../../components/lazy-dialogs.ts'
import { Link } from '../../components/link.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { sizeText } from '../../i18n/size.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { AddressRow } from './address-row.tsx'
import { removed } from './removed.ts'
import { Section } from './section.tsx'
import css from './account.module.css'

/** The reason why a form without JavaScript was refused. Who is signed in needs not know that a link was used, for example. */
const refusalOf = (problem: Problem | null): Problem | null =>
  problem && /sign(?:ed)?_in/.test(problem.code) ? null : problem

/** The addresses of a subscription and the storage that they share. */
export function Addresses({ account, addresses }: { account: AccountJson; addresses: readonly KeptAddressJson[] }) {
  const text = useText()
  const { code, format } = useLanguage()
  const { go, refresh, payload } = usePage()
  const { busy, problem, attempt } = useAttempt(refusalOf(payload.problem))
  const [deleting, setDeleting] = useState<KeptAddressJson | null>(null)
  const [replacing, setReplacing] = useState<KeptAddressJson | null>(null)
  const [replaced, setReplaced] = useState(payload.query.replaced !== undefined)
  const { usedBytes, limitBytes } = account.storage
  const limit = account.limits.addresses
  const lapsed = account.state === 'lapsed'
  const active = !lapsed && account.state !== 'ended'
  const size = (bytes: number): string => sizeText(bytes, format.locale)
  return (
    <Section
      title={text('account.addresses')}
      beside={
        lapsed
          ? undefined
          : text('account.addresses.count', {
              used: new Intl.NumberFormat(format.locale).format(addresses.length),
              limit,
            })
      }
    >
      {addresses.length === 0 && !active ? <p className={css.soft}>{text('account.addresses.none')}</p> : null}
      <ul className={css.rows}>
        {addresses.map((address) => (
          <AddressRow
            key={address.id}
            address={address}
            busy={busy}
            onOpen={() =>
              void attempt(async () => {
                await accountApi.open(address.id)
                await go(pathIn(code, '/'), { done: true })
              })
            }
            onRename={(label) =>
              attempt(async () => {
                await accountApi.rename(address.id, label)
                await refresh()
              })
            }
            onReplace={() => {
              setReplaced(false)
              setReplacing(address)
            }}
            onDelete={() => setDeleting(address)}
          />
        ))}
      </ul>
      {replaced ? (
        <p className={css.soft} role="status">
          {text('recovery.replaced')}
        </p>
      ) : null}
      <ProblemLine problem={problem} words={{ label_invalid: 'account.label.invalid' }} />
      {active && addresses.length < limit ? (
        <div className={css.actions}>
          <Link className={buttonClass('plain')} href={pathIn(code, '/change')}>
            {text('kept.add')}
          </Link>
          <Link className={buttonClass('plain')} href={pathIn(code, '/private')}>
            {text('account.addresses.addPrivate')}
          </Link>
        </div>
      ) : null}
      {lapsed ? null : (
        <div className={css.storage}>
          <label htmlFor="storage">{text('account.storage')}</label>
          <meter id="storage" value={usedBytes} max={limitBytes} high={limitBytes * 0.9} />
          <span>
            {text('account.storage.text', { used: size(usedBytes), left: size(Math.max(0, limitBytes - usedBytes)) })}
          </span>
        </div>
      )}
      {replacing ? (
        <ConfirmDialog
          title={text('recovery.replace')}
          words={text('recovery.replaceText')}
          confirm={text('recovery.replace')}
          onClose={() => setReplacing(null)}
          onConfirm={async () => setReplaced(await attempt(() => accountApi.replaceSecret(replacing.id)))}
        />
      ) : null}
      {deleting ? (
        <AddressDialog
          address={deleting.address}
          action="delete"
          onClose={() => setDeleting(null)}
          onConfirm={() =>
            attempt(async () => {
              await removed(accountApi.remove(deleting.id))
              await refresh()
            })
          }
        />
      ) : null}
    </Section>
  )
}
