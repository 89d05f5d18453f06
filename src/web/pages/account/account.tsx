import { type FormEvent, useEffect, useState } from 'react'
import { pathIn } from '#locales/languages.ts'
import { accountApi } from '../../api/account-api.ts'
import { usePage, usePayload } from '../../app/page.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { accountTitle } from '../../document/account-title.ts'
import { titleOf } from '../../document/head.ts'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { AddressQuestion, Question } from '../delete/question.tsx'
import { EnterCode } from './enter-code.tsx'
import { LinkElsewhere } from './link-elsewhere.tsx'
import { OldLink } from './old-link.tsx'
import { OpenLink } from './open-link.tsx'
import { SignIn } from './sign-in.tsx'
import { Tabs } from './tabs.tsx'
import css from './account.module.css'

/** The account of a subscriber; for other visitors the sign-in form. */
export function Account() {
  const text = useText()
  const { code } = useLanguage()
  const payload = usePayload('account')
  const { data, problem, path } = payload
  const { refresh } = usePage()
  /** The account that was deleted, and its tab. Another tab asks to sign in. */
  const [erased, setErased] = useState<{ email: string; path: string } | null>(null)
  const { account, link } = data
  useEffect(() => {
    document.title = accountTitle(payload.data, titleOf(payload, text), text)
  }, [payload, text])
  if (erased?.path === path && (!account || account.email === erased.email)) {
    return (
      <Notice title={text('account.erased')} words={text('account.erased.text')}>
        <Link className={buttonClass('main')} href={pathIn(code, '/')}>
          {text('error.home')}
        </Link>
      </Notice>
    )
  }
  if (link?.state === 'here') return <OpenLink key={link.token} token={link.token} of={link.of} />
  const entering = data.sent || problem?.code === 'sign_in_code_invalid'
  // A signed-in browser enters a code only to confirm the email address.
  if (entering && !account?.confirmed && link?.state !== 'over' && link?.state !== 'elsewhere') return <EnterCode />
  if (!account) {
    if (link?.state === 'over' || problem?.code === 'sign_in_link_invalid') return <OldLink />
    return link?.state === 'elsewhere' ? <LinkElsewhere code={link.code} /> : <SignIn />
  }
  const { asked } = data
  if (asked) {
    const { address, id, ask } = asked
    const rest = { fields: { id }, back: pathIn(code, '/account') }
    if (ask === 'delete') return <AddressQuestion address={address} action="delete-kept" {...rest} />
    const words = (
      <>
        <EmailAddress>{address}</EmailAddress>
        <br />
        {text('recovery.replaceText')}
      </>
    )
    const name = text('recovery.replace')
    return <Question title={name} words={words} action="replace-kept-secret" confirm={name} {...rest} />
  }
  return (
    <div className={css.account}>
      <header className={css.head}>
        <div className={css.whom}>
          <h1>{text('account.title')}</h1>
          <bdi>{account.email}</bdi>
        </div>
        <SignOut />
      </header>
      <Tabs
        account={account}
        data={data}
        onErased={() => {
          setErased({ email: account.email, path })
          void refresh()
        }}
      />
    </div>
  )
}

function SignOut() {
  const text = useText()
  const { code } = useLanguage()
  const { refresh } = usePage()
  const { busy, problem, attempt } = useAttempt()

  function signOut(event: FormEvent): void {
    event.preventDefault()
    void attempt(async () => {
      await accountApi.signOut()
      await refresh()
    })
  }

  return (
    <form method="post" action="/actions/sign-out" onSubmit={signOut}>
      <input type="hidden" name="lang" value={code} />
      <Button type="submit" disabled={busy}>
        {text('account.signOut')}
      </Button>
      <ProblemLine problem={problem} />
    </form>
  )
}
