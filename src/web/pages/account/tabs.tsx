import type { AccountJson } from '#contract/account.ts'
import type { AccountData, AccountTab } from '#contract/pages.ts'
import { DAY } from '#core/time.ts'
import { pathIn } from '#locales/languages.ts'
import { usePage } from '../../app/page.tsx'
import { Link } from '../../components/link.tsx'
import { type MessageKey, useLanguage, useText } from '../../i18n/text.tsx'
import { Addresses } from './addresses.tsx'
import { ApiKeys } from './api-keys.tsx'
import { ConfirmEmail } from './confirm-email.tsx'
import { Domains } from './domains.tsx'
import { FirstSteps } from './first-steps.tsx'
import { OwnData } from './own-data.tsx'
import { Payments } from './payments.tsx'
import { Sessions } from './sessions.tsx'
import { State } from './state.tsx'
import { Webhooks } from './webhooks.tsx'
import css from './tabs.module.css'

const TABS: Record<AccountTab, { path: string; words: MessageKey }> = {
  addresses: { path: '/account', words: 'account.addresses' },
  domains: { path: '/account/domains', words: 'account.tab.domains' },
  developer: { path: '/account/developer', words: 'account.tab.developer' },
  billing: { path: '/account/billing', words: 'account.tab.billing' },
}

const PAIRS: readonly (readonly AccountTab[])[] = [
  ['addresses', 'domains'],
  ['developer', 'billing'],
]

/** How long before its end the state of a subscription is shown in every tab, in milliseconds. */
const SOON = 30 * DAY

/** Whether the state of the subscription matters in every tab: it has ended, ends soon, or a payment failed. */
const isUrgent = ({ state, paidUntil }: AccountJson, now: number): boolean =>
  state === 'ending' ? paidUntil !== null && Date.parse(paidUntil) - now < SOON : state !== 'active'

/** Whether a section is shown: the service allows some, or the subscriber has earlier ones to remove. */
const isOffered = (most: number, list: readonly unknown[]): boolean => most > 0 || list.length > 0

interface Props {
  account: AccountJson
  data: AccountData
  onErased: () => void
}

/** The sections of the account. Each tab is a page of its own. */
export function Tabs({ account, data, onErased }: Props) {
  const text = useText()
  const { code } = useLanguage()
  const { tab, addresses, domains, developer, premiumDomain, ownDomains, keysOrWebhooks } = data
  const { renderedAt, query } = usePage().payload
  const active = account.state !== 'ended' && account.state !== 'lapsed'
  /** Whether the visitor comes from the payment, and sees here that it worked. */
  const paid = active && query.from === 'checkout'
  return (
    <>
      <nav className={css.tabs} aria-label={text('account.title')}>
        {PAIRS.map((pair) => (
          <span key={pair[0]} className={css.pair}>
            {pair.map((name) => {
              if ((name === 'domains' && !ownDomains) || (name === 'developer' && !keysOrWebhooks)) return null
              const { path, words } = TABS[name]
              return (
                <Link
                  key={name}
                  className={css.tab ?? ''}
                  href={pathIn(code, path)}
                  aria-current={name === tab ? 'page' : undefined}
                >
                  {text(words)}
                </Link>
              )
            })}
          </span>
        ))}
      </nav>
      <p className={`${css.scripts} without-script`}>{text('account.needsScript')}</p>
      {paid || tab === 'billing' || isUrgent(account, renderedAt) ? <State account={account} paid={paid} /> : null}
      {account.confirmed ? null : <ConfirmEmail email={account.email} />}
      {tab === 'addresses' ? (
        <>
          {active && addresses.length === 0 ? (
            <FirstSteps premiumDomain={premiumDomain} ownDomains={account.limits.domains > 0} />
          ) : null}
          <Addresses account={account} addresses={addresses} />
        </>
      ) : null}
      {domains ? (
        <Domains domains={domains} addresses={addresses} max={account.limits.domains} active={active} />
      ) : null}
      {developer ? (
        <>
          {isOffered(developer.keys.limits.keys, developer.keys.keys) ? (
            <ApiKeys first={developer.keys} active={active && account.confirmed} />
          ) : null}
          {isOffered(developer.webhooks.limits.webhooks, developer.webhooks.webhooks) ? (
            <Webhooks first={developer.webhooks} active={active && account.confirmed} />
          ) : null}
        </>
      ) : null}
      {tab === 'billing' ? (
        <>
          <Payments payments={account.payments} />
          <Sessions sessions={account.sessions} />
          <OwnData account={account} onErased={onErased} />
        </>
      ) : null}
    </>
  )
}
