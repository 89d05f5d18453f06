import type { FormEvent } from 'react'
import { pathIn } from '#locales/languages.ts'
import { accountApi } from '../../api/account-api.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Link } from '../../components/link.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import fields from '../../components/field.module.css'

/** Shown after a sign-in link was sent. If the email is read on another device, its code can be entered here. */
export function EnterCode() {
  const text = useText()
  const { code: lang } = useLanguage()
  const { go, payload } = usePage()
  const { busy, problem, attempt } = useAttempt(payload.problem)
  const wrong = problem?.code === 'sign_in_code_invalid' ? text('account.signIn.wrong') : undefined

  async function enter(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code'))
    await attempt(async () => {
      await accountApi.enterCode(code)
      await go(pathIn(lang, '/account'), { replace: true, done: true })
    })
  }

  return (
    <section className={fields.column} aria-labelledby="sent-title">
      <div className={fields.head} role="status">
        <h1 id="sent-title">{text('account.signIn.sent')}</h1>
        <p className={fields.intro}>{text('account.signIn.sentText')}</p>
      </div>
      <form
        method="post"
        action="/actions/sign-in-code"
        className={fields.form}
        onSubmit={(event) => void enter(event)}
      >
        <input type="hidden" name="lang" value={lang} />
        <Field label={text('account.signIn.code')} problem={wrong}>
          {(control) => (
            <input
              name="code"
              dir="ltr"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={40}
              required
              {...control}
            />
          )}
        </Field>
        <ProblemLine problem={wrong === undefined ? problem : null} />
        <div className={fields.actions}>
          <Button type="submit" look="main" disabled={busy}>
            {text('account.link.confirm')}
          </Button>
          <Link className={fields.end ?? ''} href={pathIn(lang, '/account')}>
            {text('account.signIn.again')}
          </Link>
        </div>
      </form>
    </section>
  )
}
