import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { pathIn } from '#locales/languages.ts'
import { accountApi } from '../../api/account-api.ts'
import { problemOf } from '../../api/api.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import fields from '../../components/field.module.css'
import css from './account.module.css'

/** Opens a sign-in link in the browser that requested it: automatically, or with a click without JavaScript. */
export function OpenLink({ token, of }: { token: string; of: string }) {
  const text = useText()
  const { code } = useLanguage()
  const { go } = usePage()
  const { busy, problem, attempt } = useAttempt()
  const [retryable, setRetryable] = useState(false)
  const tried = useRef(false)
  const account = pathIn(code, '/account')

  const open = useCallback(
    () =>
      attempt(async () => {
        await accountApi.openLink(token).catch((error: unknown) => {
          // The page that follows says so, or shows the account if another tab has signed in.
          if (problemOf(error).code !== 'sign_in_link_invalid') throw error
        })
        await go(account, { replace: true, done: true })
      }),
    [attempt, token, go, account],
  )
  useEffect(() => {
    // Only once: after a failure, the visitor decides.
    if (tried.current) return
    tried.current = true
    void open().then((opened) => setRetryable(!opened))
  }, [open])

  function retry(event: FormEvent): void {
    event.preventDefault()
    void open()
  }

  return (
    <section className={fields.column} aria-labelledby="link-title" aria-busy={busy}>
      <div className={fields.head}>
        <h1 id="link-title">{text('account.link')}</h1>
      </div>
      <form
        method="post"
        action="/actions/sign-in-link"
        className={`${fields.form} ${retryable ? '' : 'without-script'}`}
        onSubmit={retry}
      >
        <input type="hidden" name="lang" value={code} />
        <input type="hidden" name="token" value={token} />
        <p className={css.whose}>
          <bdi>{of}</bdi>
        </p>
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
