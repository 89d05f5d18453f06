import { useState } from 'react'
import type { WebhookListJson } from '#contract/webhooks.ts'
import { accountApi } from '../../api/account-api.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { KeptForm } from '../../components/kept-form.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useText } from '../../i18n/text.tsx'
import { Section } from './section.tsx'
import { ShownOnce } from './shown-once.tsx'
import { useList } from './use-list.ts'
import { WebhookRow } from './webhook-row.tsx'
import css from './developer.module.css'

const WORDS = {
  webhook_invalid: 'account.webhooks.invalid',
  webhooks_full: 'account.webhooks.full',
  email_unconfirmed: 'account.confirm.needed',
  premium_required: 'account.state.ended',
} as const

/** The webhooks of the account. If none can be added, it still says what they are for. */
export function Webhooks({ first, active }: { first: WebhookListJson; active: boolean }) {
  const text = useText()
  const { list, load, busy, problem, change } = useList(first, accountApi.webhooks)
  const [secret, setSecret] = useState<string | null>(null)

  function add(form: HTMLFormElement): Promise<boolean> {
    const url = String(new FormData(form).get('url'))
    return change(async () => {
      setSecret((await accountApi.addWebhook(url)).secret)
      form.reset()
    })
  }

  const { webhooks, limits } = list
  const full = webhooks.length >= limits.webhooks
  return (
    <Section title={text('account.webhooks')}>
      <p className={css.intro}>{text('account.webhooks.text')}</p>
      {secret === null ? null : (
        <ShownOnce
          key={secret}
          title={text('account.webhooks.secret')}
          value={secret}
          onClose={() => setSecret(null)}
        />
      )}
      <ul className={css.rows}>
        {webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} active={active} offDays={limits.offDays} onChange={load} />
        ))}
      </ul>
      <ProblemLine problem={problem} words={WORDS} />
      {active && full ? <p className={css.intro}>{text('account.webhooks.full')}</p> : null}
      {active && !full ? (
        <KeptForm name="webhook" className={`${css.add} needs-script`} onSend={add}>
          <Field label={text('account.webhooks.url')}>
            {(control) => (
              <input
                name="url"
                type="url"
                dir="ltr"
                required
                autoComplete="off"
                placeholder="https://example.com/mail"
                {...control}
              />
            )}
          </Field>
          <Button type="submit" disabled={busy}>
            {text('account.webhooks.add')}
          </Button>
        </KeptForm>
      ) : null}
    </Section>
  )
}
