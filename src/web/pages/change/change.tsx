import { type FormEvent, useState } from 'react'
import { pathIn } from '#locales/languages.ts'
import { createAddress } from '../../api/new-address.ts'
import { usePage, usePayload } from '../../app/page.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { WithAddress } from '../../components/email-address.tsx'
import { Field } from '../../components/field.tsx'
import { HiddenFields } from '../../components/hidden-fields.tsx'
import { Link } from '../../components/link.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useShown } from '../../hooks/use-shown.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { Earlier } from './earlier.tsx'
import { isNameProblem, NameFields } from './name-fields.tsx'
import { sharedName } from './shared-name.ts'
import fields from '../../components/field.module.css'
import css from './change.module.css'

const filled = (value: FormDataEntryValue | null): string | undefined =>
  typeof value === 'string' && value.trim() ? value.trim() : undefined

/** Changes the address to a chosen login and domain, or to a random one. */
export function Change() {
  const text = useText()
  const { code } = useLanguage()
  const { go, payload } = usePage()
  const signedIn = payload.site.account !== null
  const { data, problem: first } = usePayload('change')
  const { busy, problem, attempt } = useAttempt(first)
  useShown(data.address)
  const [done, setDone] = useState(false)
  const signedOut = problem?.code === 'not_signed_in' && !signedIn
  const home = pathIn(code, '/')
  const offer =
    !data.premium &&
    payload.site.limits.extraDomains !== 'none' &&
    (data.domains.some(({ tier }) => tier === 'premium') || problem?.code === 'premium_required')

  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const { currentTarget } = event
    const form = new FormData(currentTarget)
    const { submitter } = event.nativeEvent as SubmitEvent
    const login = submitter?.getAttribute('name') === 'random' ? undefined : filled(form.get('login'))
    const domain = filled(form.get('domain'))
    const lifetime = form.get('lifetime') === 'ten-minutes' ? 'ten-minutes' : 'day'
    await attempt(async () => {
      await createAddress({
        ...(login === undefined ? {} : { login }),
        ...(domain === undefined ? {} : { domain }),
        lifetime,
        signedIn: data.premium,
      })
      // Pressed again before the next page is loaded, the form would replace the new address.
      setDone(true)
      // The input was used, so the next visit does not start with it.
      currentTarget.reset()
      await go(home, { done: true })
    })
  }

  return (
    <section className={fields.column} aria-labelledby="change-title">
      <div className={fields.head}>
        <h1 id="change-title">{text('change.title')}</h1>
        <p className={fields.intro}>{text(data.premium ? 'change.premiumText' : 'change.textFirst')}</p>
      </div>
      {data.replaced ? (
        <div className={css.replaces} data-warning={data.hasMessages}>
          <p>
            <WithAddress
              text={text('home.replaces', { address: data.replaced.address })}
              address={data.replaced.address}
            />
          </p>
          {data.hasMessages ? <p>{text('change.hasMessages')}</p> : null}
        </div>
      ) : null}
      <form method="post" action="/actions/change" className={fields.form} onSubmit={(event) => void save(event)}>
        <HiddenFields shown={data.address} secret={data.newSecret} signedIn={data.premium ? 'yes' : undefined} />
        <NameFields
          login={sharedName(payload.query)}
          problem={problem}
          domains={data.domains}
          own={data.own}
          premium={data.premium}
        />
        {data.premium ? null : (
          <Field label={text('change.lifetime')}>
            {(control) => (
              <select name="lifetime" {...control}>
                <option value="day">{text('change.lifetime.day')}</option>
                <option value="ten-minutes">{text('change.lifetime.tenMinutes')}</option>
              </select>
            )}
          </Field>
        )}
        <ProblemLine problem={isNameProblem(problem) ? null : problem} />
        {signedOut ? (
          <div className={fields.actions}>
            <Link className={buttonClass()} href={pathIn(code, '/account')}>
              {text('premium.signIn')}
            </Link>
          </div>
        ) : null}
        <div className={fields.actions}>
          <Button type="submit" look="main" disabled={busy || done}>
            {text('change.save')}
          </Button>
          <Button type="submit" name="random" value="1" disabled={busy || done}>
            {text('change.random')}
          </Button>
          <Link className={fields.end ?? ''} href={home}>
            {text('change.back')}
          </Link>
        </div>
      </form>
      <Earlier {...data} />
      {offer ? (
        <aside className={css.upgrade} aria-label={text('change.domain.premium')}>
          <p>{text('change.upgradeText')}</p>
          <Link className={buttonClass()} href={pathIn(code, '/premium')}>
            {text('change.upgrade')}
          </Link>
          {signedIn || signedOut ? null : <Link href={pathIn(code, '/account')}>{text('premium.signIn')}</Link>}
        </aside>
      ) : null}
    </section>
  )
}
