import { useState } from 'react'
import { Notice } from '../../components/notice.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { pathIn } from '#locales/languages.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { usePayload } from '../../page.tsx'
import css from './account.module.css'
import { Addresses } from './addresses.tsx'
import { Developer } from './developer.tsx'
import { Domains } from './domains.tsx'
import { OpenLink } from './open-link.tsx'
import { OwnData } from './own-data.tsx'
import { Payments } from './payments.tsx'
import { Sessions } from './sessions.tsx'
import { SignIn } from './sign-in.tsx'
import { State } from './state.tsx'

/** Everything that belongs to a subscription; for others the way to sign in. */
export function Account() {
  const text = useText()
  const { code } = useLanguage()
  const { data, query } = usePayload('account')
  const [erased, setErased] = useState(false)
  const { account, addresses } = data
  if (erased) {
    return (
      <Notice title={text('account.erased')} words={text('account.erased.text')}>
        <Link className={buttonClass('main')} href={pathIn(code, '/')}>
          {text('error.home')}
        </Link>
      </Notice>
    )
  }
  if (query.link !== undefined) return <OpenLink key={query.link} token={query.link} of={data.linkOf} />
  if (!account) return <SignIn sent={data.sent} />
  const active = account.state !== 'ended' && account.state !== 'lapsed'
  return (
    <div className={css.account}>
      <header className={css.head}>
        <h1>{text('account.title')}</h1>
        <bdi>{account.email}</bdi>
      </header>
      <State account={account} />
      <Addresses account={account} addresses={addresses} />
      <Domains addresses={addresses} max={account.limits.domains} active={active} />
      <Developer active={active} />
      <Payments payments={account.payments} />
      <Sessions sessions={account.sessions} />
      <OwnData email={account.email} onErased={() => setErased(true)} />
    </div>
  )
}
