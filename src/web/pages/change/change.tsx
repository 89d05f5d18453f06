import { type FormEvent, useState } from 'react'
import { api, type PageProblem, problemOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { pathIn } from '#locales/languages.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { usePage, usePayload } from '../../page.tsx'
import css from './change.module.css'

const filled = (value: FormDataEntryValue | null): string | undefined =>
  typeof value === 'string' && value.trim() ? value.trim() : undefined

/** Choose a login and a domain, or draw a random one. */
export function Change() {
  const text = useText()
  const { code } = useLanguage()
  const { go } = usePage()
  const { data, problem: first } = usePayload('change')
  const [problem, setProblem] = useState<PageProblem | null>(first)
  const [busy, setBusy] = useState(false)
  const home = pathIn(code, '/')

  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const { submitter } = event.nativeEvent as SubmitEvent
    const login = submitter?.getAttribute('name') === 'random' ? undefined : filled(form.get('login'))
    const domain = filled(form.get('domain'))
    setBusy(true)
    try {
      const lifetime = form.get('lifetime') === 'ten-minutes' ? 'ten-minutes' : 'day'
      await api.create({
        ...(login === undefined ? {} : { login }),
        ...(domain === undefined ? {} : { domain }),
        lifetime,
      })
      go(home)
    } catch (error) {
      setProblem(problemOf(error))
      setBusy(false)
    }
  }

  return (
    <section className={css.change} aria-labelledby="change-title">
      <h1 id="change-title">{text('change.title')}</h1>
      <p className={css.text}>{text(data.address ? 'change.text' : 'change.textFirst')}</p>
      <form method="post" action="/actions/change" className={css.form} onSubmit={(event) => void save(event)}>
        <input type="hidden" name="lang" value={code} />
        <div className={css.field}>
          <label htmlFor="login">{text('change.login')}</label>
          <input
            id="login"
            name="login"
            dir="ltr"
            maxLength={64}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby="login-hint"
            placeholder={text('change.loginPrompt')}
          />
          <p id="login-hint" className={css.hint}>
            {text('change.hint')}
          </p>
        </div>
        <div className={css.field}>
          <label htmlFor="domain">{text('change.domain')}</label>
          <select id="domain" name="domain" dir="ltr">
            {data.domains.map(({ name }) => (
              <option key={name} value={name}>
                @{name}
              </option>
            ))}
          </select>
        </div>
        <div className={css.field}>
          <label htmlFor="lifetime">{text('change.lifetime')}</label>
          <select id="lifetime" name="lifetime">
            <option value="day">{text('change.lifetime.day')}</option>
            <option value="ten-minutes">{text('change.lifetime.tenMinutes')}</option>
          </select>
        </div>
        <ProblemLine problem={problem} />
        <div className={css.actions}>
          <Button type="submit" look="main" disabled={busy}>
            {text('change.save')}
          </Button>
          <Button type="submit" name="random" value="1" disabled={busy}>
            {text('change.random')}
          </Button>
          <Link className={css.back ?? ''} href={home}>
            {text('change.back')}
          </Link>
        </div>
      </form>
    </section>
  )
}
