import { type FormEvent, useEffect, useRef, useState } from 'react'
import { pathIn } from '#locales/languages.ts'
import { accountApi } from '../../account-api.ts'
import { Button } from '../../components/button.tsx'
import fields from '../../components/field.module.css'
import { ProblemLine } from '../../components/problem-line.tsx'
import { problemOf } from '../../api.ts'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { usePage } from '../../page.tsx'
import css from './account.module.css'
import { SignIn } from './sign-in.tsx'

/** Opens a link that a mail brought: at once in the browser that asked for it, after a click in another one. */
export function OpenLink({ token, of }: { token: string; of: string | null }) {
  const text = useText()
  const { code } = useLanguage()
  const { go, payload } = usePage()
  const { busy, problem, attempt } = useAttempt(payload.problem)
  const [asks, setAsks] = useState(payload.problem !== null)
  const tried = useRef(payload.problem !== null)
  const account = pathIn(code, '/account')
  const invalid = problem?.code === 'sign_in_link_invalid'

  useEffect(() => {
    // Once, for the link is used up by it.
    if (tried.current) return
    tried.current = true
    void attempt(async () => {
      try {
        await accountApi.openLink(token, false)
        go(account, { replace: true })
      } catch (error) {
        setAsks(true)
        if (problemOf(error).code !== 'sign_in_unconfirmed') throw error
      }
    })
  }, [attempt, token, go, account])

  function confirm(event: FormEvent): void {
    event.preventDefault()
    void attempt(async () => {
      await accountApi.openLink(token, true)
      go(account, { replace: true })
    })
  }

  if (invalid) {
    return (
      <>
        <div className={css.alert} role="alert">
          <strong>{text('account.link.invalid')}</strong> {text('account.link.invalidText')}
        </div>
        <SignIn sent={false} />
      </>
    )
  }
  return (
    <section className={fields.column} aria-labelledby="link-title" aria-busy={busy}>
      <h1 id="link-title">{text('account.link')}</h1>
      <form
        method="post"
        action="/actions/sign-in-link"
        className={`${fields.form} ${asks ? '' : 'without-script'}`}
        onSubmit={confirm}
      >
        <input type="hidden" name="lang" value={code} />
        <input type="hidden" name="token" value={token} />
        {of === null ? null : (
          <p className={css.whose}>
            <bdi>{of}</bdi>
          </p>
        )}
        <p className={css.first}>{text('account.link.text')}</p>
        <ProblemLine problem={problem} />
        <div className={fields.actions}>
          <Button type="submit" look="main" disabled={busy}>
            {text('account.link.confirm')}
          </Button>
        </div>
      </form>
    </section>
  )
}
