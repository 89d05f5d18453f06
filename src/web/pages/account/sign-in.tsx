import type { FormEvent } from 'react'
import { pathIn } from '#locales/languages.ts'
import { accountApi } from '../../api/account-api.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { EmailInput } from '../../components/email-input.tsx'
import { Field } from '../../components/field.tsx'
import { Link } from '../../components/link.tsx'
import { ProblemLine, problemText } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import fields from '../../components/field.module.css'

/** Requests a sign-in link for the email address of a subscription. `here`: shown below the link of another browser. */
export function SignIn({ here = false }: { here?: boolean }) {
  const text = useText()
  const { code } = useLanguage()
  const { go, payload } = usePage()
  const { problem: first } = payload
  // `OldLink` says it above.
  const { busy, problem, attempt } = useAttempt(first?.code === 'sign_in_link_invalid' ? null : first)
  const wrongEmail = problem?.code === 'email_invalid' ? problemText(problem, text) : undefined

  async function requestLink(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email'))
    // The response does not reveal whether a subscription exists.
    await attempt(async () => {
      await accountApi.signIn(email, code)
      await go(pathIn(code, '/account?sent=1'), { done: true })
    })
  }

  const Title = here ? 'h2' : 'h1'
  return (
    <section className={fields.column} aria-labelledby="sign-in-title">
      <div className={fields.head}>
        <Title id="sign-in-title">{text(here ? 'account.link.here' : 'premium.signIn')}</Title>
        <p className={fields.intro}>{text('account.signIn.text')}</p>
      </div>
      <form
        method="post"
        action="/actions/sign-in"
        className={fields.form}
        onSubmit={(event) => void requestLink(event)}
      >
        <input type="hidden" name="lang" value={code} />
        <Field label={text('premium.email')} problem={wrongEmail}>
          {(control) => <EmailInput required value={undefined} {...control} />}
        </Field>
        <ProblemLine
          problem={wrongEmail === undefined ? problem : null}
          words={{ sign_in_by_email: 'account.signIn.text' }}
        />
        <div className={fields.actions}>
          <Button type="submit" look="main" disabled={busy}>
            {text('account.signIn.send')}
          </Button>
          <Link className={fields.end ?? ''} href={pathIn(code, '/premium')}>
            {text('account.signIn.buy')}
          </Link>
        </div>
      </form>
    </section>
  )
}
