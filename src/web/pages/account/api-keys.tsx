import { useState } from 'react'
import type { ApiKeyListJson } from '#contract/api-keys.ts'
import { accountApi } from '../../api/account-api.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { KeptForm } from '../../components/kept-form.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useText } from '../../i18n/text.tsx'
import { ApiKeyRow } from './api-key-row.tsx'
import { removed } from './removed.ts'
import { Section } from './section.tsx'
import { ShownOnce } from './shown-once.tsx'
import { useList } from './use-list.ts'
import css from './developer.module.css'

const HEADER = 'X-Api-Key'
const WORDS = {
  keys_full: 'account.keys.full',
  label_invalid: 'account.label.invalid',
  email_unconfirmed: 'account.confirm.needed',
  premium_required: 'account.state.ended',
} as const

/** The API keys of the account. If none can be created, it still says what they are for. */
export function ApiKeys({ first, active }: { first: ApiKeyListJson; active: boolean }) {
  const text = useText()
  const { list, load, busy, problem, change } = useList(first, accountApi.keys)
  const [token, setToken] = useState<string | null>(null)

  function make(form: HTMLFormElement): Promise<boolean> {
    const label = String(new FormData(form).get('label'))
    return change(async () => {
      setToken((await accountApi.makeKey(label)).token)
      form.reset()
    })
  }

  const { keys, limits } = list
  const full = keys.length >= limits.keys
  return (
    <Section title={text('account.keys')}>
      <p className={css.intro}>
        {text('account.keys.text', {
          header: HEADER,
          requests: limits.requestsPerSecond,
          addresses: limits.addresses,
        })}
      </p>
      {token === null ? null : (
        <ShownOnce key={token} title={text('account.keys.made')} value={token} onClose={() => setToken(null)} />
      )}
      <ul className={css.rows}>
        {keys.map((key) => (
          <ApiKeyRow
            key={key.id}
            apiKey={key}
            seconds={limits.revocationSeconds}
            onRevoke={() => removed(accountApi.revokeKey(key.id)).finally(load)}
          />
        ))}
      </ul>
      <ProblemLine problem={problem} words={WORDS} />
      {active && full ? <p className={css.intro}>{text('account.keys.full')}</p> : null}
      {active && !full ? (
        <KeptForm name="api-key" className={`${css.add} needs-script`} onSend={make}>
          <Field label={text('account.addresses.label')}>
            {(control) => <input name="label" dir="auto" required autoComplete="off" {...control} />}
          </Field>
          <Button type="submit" disabled={busy}>
            {text('account.keys.add')}
          </Button>
        </KeptForm>
      ) : null}
    </Section>
  )
}
