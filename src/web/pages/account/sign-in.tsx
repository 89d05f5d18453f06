import { type FormEvent, useState } from 'react'
import { pathIn } from '#locales/languages.ts'
import { accountApi } from '../../account-api.ts'
import { Button } from '../../components/button.tsx'
import { EmailInput } from '../../components/email-input.tsx'
import { Field } from '../../components/field.tsx'
import fields from '../../components/field.module.css'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { ProblemLine, problemText } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { usePayload } from '../../page.tsx'

/** Asks for a link to the email of a subscription. The answer is the same whether there is one. */
export function SignIn({ sent: sentAlready }: { sent: boolean }) {
  const text = useText()
  const { code } = useLanguage()
  const [sent, setSent] = useState(sentAlready)
  const { busy, problem, attempt } = useAttempt(usePayload('account').problem)
  const wrongEmail = problem?.code === 'email_invalid' ? problemText(problem, text) : undefined

  async function ask(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email'))
    if (await attempt(() => accountApi.signIn(email, code))) setSent(true)
  }

  if (sent) {
    return (
      <div role="status">
        <Notice title={text('account.signIn.sent')} words={text('account.signIn.sentText')}>
          {null}
        </Notice>
      </div>
    )
  }
  return (
    <section className={fields.column} aria-labelledby="sign-in-title">
      <h1 id="sign-in-title">{text('premium.signIn')}</h1>
      <p className={fields.intro}>{text('account.signIn.text')}</p>
      <form method="post" action="/actions/sign-in" className={fields.form} onSubmit={(event) => void ask(event)}>
        <input type="hidden" name="lang" value={code} />
        <Field label={text('premium.email')} problem={wrongEmail}>
          {(control) => <EmailInput required value={undefined} {...control} />}
        </Field>
        <ProblemLine problem={wrongEmail === undefined ? problem : null} />
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
