import type { FormEvent } from 'react'
import { pathIn } from '#locales/languages.ts'
import { accountApi } from '../../api/account-api.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { isolated } from '../../i18n/isolate.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { Section } from './section.tsx'
import css from './tabs.module.css'

/** Sends a sign-in link to the browser that paid, so that its owner proves that the email address is theirs. */
export function ConfirmEmail({ email }: { email: string }) {
  const text = useText()
  const { code } = useLanguage()
  const { go } = usePage()
  const { busy, problem, attempt } = useAttempt()

  function send(event: FormEvent): void {
    event.preventDefault()
    void attempt(async () => {
      await accountApi.signIn(email, code)
      await go(pathIn(code, '/account?sent=1'), { done: true })
    })
  }

  return (
    <Section title={text('account.confirm')}>
      <form className={css.confirm} method="post" action="/actions/sign-in" onSubmit={send}>
        <input type="hidden" name="lang" value={code} />
        <input type="hidden" name="email" value={email} />
        <p>{text('account.confirm.text', { email: isolated(email) })}</p>
        <Button type="submit" disabled={busy}>
          {text('account.signIn.send')}
        </Button>
      </form>
      <ProblemLine problem={problem} />
    </Section>
  )
}
