import { useState } from 'react'
import { pathIn } from '#locales/languages.ts'
import { usePayload } from '../../app/page.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { Addresses } from './addresses.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Domains } from './domains.tsx'
import { EnterCode } from './enter-code.tsx'
import { LinkElsewhere } from './link-elsewhere.tsx'
import { OldLink } from './old-link.tsx'
import { OpenLink } from './open-link.tsx'
import { OwnData } from './own-data.tsx'
import { Payments } from './payments.tsx'
import { Sessions } from './sessions.tsx'
import { SignIn } from './sign-in.tsx'
import { State } from './state.tsx'
import { Webhooks } from './webhooks.tsx'
import css from './account.module.css'

/** The account of a subscriber; for other visitors the sign-in form. */
export function Account() {
  const text = useText()
  const { code } = useLanguage()
  const { data, problem } = usePayload('account')
  const [erased, setErased] = useState(false)
  const { account, addresses, link } = data
  if (erased) {
    return (
      <Notice title={text('account.erased')} words={text('account.erased.text')}>
        <Link className={buttonClass('main')} href={pathIn(code, '/')}>
          {text('error.home')}
        </Link>
      </Notice>
    )
  }
  if (link?.state === 'here') return <OpenLink key={link.token} token={link.token} of={link.of} />
  if (!account) {
    if (link?.state === 'over') return <OldLink />
    if (link?.state === 'elsewhere') return <LinkElsewhere code={link.code} />
    return data.sent || problem?.code === 'sign_in_code_invalid' ? <EnterCode /> : <SignIn />
  }
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
      <ApiKeys active={active} />
      <Webhooks active={active} />
      <Payments payments={account.payments} />
      <Sessions sessions={account.sessions} />
      <OwnData email={account.email} onErased={() => setErased(true)} />
    </div>
  )
}
