import { useState } from 'react'
import type { WebhookJson, WebhookTestJson } from '#contract/webhooks.ts'
import { accountApi } from '../../api/account-api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/lazy-dialogs.ts'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { dayText } from '../../i18n/day.ts'
import { leftToRight } from '../../i18n/isolate.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { removed } from './removed.ts'
import { useFocusAfterRemoval } from './section.tsx'
import css from './developer.module.css'

interface Props {
  webhook: WebhookJson
  active: boolean
  /** Days of failures after which a webhook is switched off. */
  offDays: number
  /** Reloads the list. */
  onChange: () => Promise<void>
}

/** A webhook with its state and the response to its test call. */
export function WebhookRow({ webhook: { id, url, state, deliveredAt }, active, offDays, onChange }: Props) {
  const text = useText()
  const { format } = useLanguage()
  const { busy, problem, attempt } = useAttempt()
  const [tested, setTested] = useState<WebhookTestJson | null>(null)
  const [removing, setRemoving] = useState(false)
  useFocusAfterRemoval()

  async function test(): Promise<void> {
    setTested(null)
    setTested(await accountApi.testWebhook(id))
    await onChange()
  }
  const remove = () => removed(accountApi.removeWebhook(id)).finally(onChange)

  return (
    <li className={css.row}>
      <span className={css.name}>
        <span className={css.title}>
          <bdi dir="ltr">{url}</bdi>
        </span>
        {state === 'on' ? null : (
          <span className={css.state} data-state={state}>
            {text(`account.webhooks.${state}`)}
          </span>
        )}
        {deliveredAt === null && state !== 'on' ? null : (
          <span>
            {deliveredAt === null
              ? text('account.keys.unused')
              : text('account.webhooks.delivered', { date: dayText(deliveredAt, format) })}
          </span>
        )}
      </span>
      <span className={`${css.buttons} needs-script`}>
        {active ? (
          <Button disabled={busy} onClick={() => void attempt(test)}>
            {text('account.webhooks.test')}
          </Button>
        ) : null}
        <Button look="quiet" disabled={busy} onClick={() => setRemoving(true)}>
          {text('account.webhooks.remove')}
        </Button>
      </span>
      {state === 'off' ? <p className={css.words}>{text('account.webhooks.off.text', { days: offDays })}</p> : null}
      <p className={css.words} role="status">
        {tested &&
          (tested.status === null
            ? text('account.webhooks.unanswered')
            : text('account.webhooks.answered', { status: String(tested.status) }))}
      </p>
      <ProblemLine problem={problem} words={{ premium_required: 'account.state.ended' }} />
      {removing ? (
        <ConfirmDialog
          title={text('account.webhooks.remove.title')}
          words={text('account.webhooks.remove.text', { url: leftToRight(url) })}
          confirm={text('account.webhooks.remove')}
          onClose={() => setRemoving(false)}
          onConfirm={() => attempt(remove)}
        />
      ) : null}
    </li>
  )
}
