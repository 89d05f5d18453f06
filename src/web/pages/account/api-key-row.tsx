import { useState } from 'react'
import type { ApiKeyJson } from '#contract/api-keys.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/lazy-dialogs.ts'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { dayText } from '../../i18n/day.ts'
import { isolated } from '../../i18n/isolate.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { useFocusAfterRemoval } from './section.tsx'
import css from './developer.module.css'

interface Props {
  apiKey: ApiKeyJson
  /** Seconds until every node refuses a revoked key. */
  seconds: number
  onRevoke: () => Promise<unknown>
}

export function ApiKeyRow({ apiKey: { label, usedAt }, seconds, onRevoke }: Props) {
  const text = useText()
  const { format } = useLanguage()
  const { busy, problem, attempt } = useAttempt()
  const [revoking, setRevoking] = useState(false)
  useFocusAfterRemoval()
  return (
    <li className={css.row}>
      <span className={css.name}>
        <strong className={css.title}>
          <bdi>{label}</bdi>
        </strong>
        <span>
          {usedAt === null ? text('account.keys.unused') : text('account.keys.used', { date: dayText(usedAt, format) })}
        </span>
      </span>
      <Button className="needs-script" disabled={busy} onClick={() => setRevoking(true)}>
        {text('account.keys.revoke')}
      </Button>
      <ProblemLine problem={problem} />
      {revoking ? (
        <ConfirmDialog
          title={text('account.keys.revoke.title')}
          words={text('account.keys.revoke.text', { name: isolated(label), seconds })}
          confirm={text('account.keys.revoke')}
          onClose={() => setRevoking(false)}
          onConfirm={() => attempt(onRevoke)}
        />
      ) : null}
    </li>
  )
}
