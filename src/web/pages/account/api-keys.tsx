import { useState } from 'react'
import { accountApi } from '../../api/account-api.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { KeptForm } from '../../components/kept-form.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { useText } from '../../i18n/text.tsx'
import { ApiKeyRow } from './api-key-row.tsx'
import { removed } from './removed.ts'
import { Section } from './section.tsx'
import { ShownOnce } from './shown-once.tsx'
import css from './developer.module.css'

const HEADER = 'X-Api-Key'
const WORDS = {
  keys_full: 'account.keys.full',
  label_invalid: 'account.label.invalid',
  email_unconfirmed: 'account.confirm.needed',
  premium_required: 'account.state.ended',
} as const

/** The API keys of the account. If none can be created, it still says what they are for. */
export function ApiKeys({ active }: { active: boolean }) {
  const text = useText()
  const { loaded: list, load, busy, problem, change } = useLoaded(accountApi.keys)
  const [token, setToken] = useState<string | null>(null)

  function make(form: HTMLFormElement): Promise<boolean> {
    const label = String(new FormData(form).get('label'))
    return change(async () => {
      setToken((await accountApi.makeKey(label)).token)
      form.reset()
    })
  }

  const limits = list?.limits
  const full = list !== null && list.keys.length >= list.limits.keys
  return (
    <div className="needs-script">
      <Section title={text('account.keys')}>
        {limits ? (
          <p className={css.intro}>
            {text('account.keys.text', {
              header: HEADER,
              requests: limits.requestsPerSecond,
              addresses: limits.addresses,
            })}
          </p>
        ) : null}
        {token === null ? null : (
          <ShownOnce key={token} title={text('account.keys.made')} value={token} onClose={() => setToken(null)} />
        )}
        <ul className={css.rows} aria-busy={list === null && !problem}>
          {list?.keys.map((key) => (
            <ApiKeyRow
              key={key.id}
              apiKey={key}
              seconds={list.limits.revocationSeconds}
              onRevoke={() => removed(accountApi.revokeKey(key.id)).finally(load)}
            />
          ))}
        </ul>
        <ProblemLine problem={problem} words={WORDS} />
        {active && full ? <p className={css.intro}>{text('account.keys.full')}</p> : null}
        {active && list && !full ? (
          <KeptForm name="api-key" className={css.add} onSend={make}>
            <Field label={text('account.addresses.label')}>
              {(control) => <input name="label" dir="auto" required autoComplete="off" {...control} />}
            </Field>
            <Button type="submit" disabled={busy}>
              {text('account.keys.add')}
            </Button>
          </KeptForm>
        ) : null}
      </Section>
    </div>
  )
}
