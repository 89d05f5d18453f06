import type { AccountSessionJson } from '#contract/account.ts'
import { accountApi } from '../../api/account-api.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { dayText } from '../../i18n/day.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { removed } from './removed.ts'
import { Section } from './section.tsx'
import css from './account.module.css'

/** The sessions of the account. All but that of this browser can be ended here. */
export function Sessions({ sessions }: { sessions: readonly AccountSessionJson[] }) {
  const text = useText()
  const { format } = useLanguage()
  const { refresh } = usePage()
  const { busy, problem, attempt } = useAttempt()
  return (
    <Section title={text('account.sessions')}>
      <ul className={css.rows}>
        {sessions.map(({ id, label, seenAt, current }) => (
          <li key={id} className={css.row}>
            <span className={css.main}>
              <bdi>{label}</bdi>
              {current ? <span className={css.mark}>{text('account.sessions.current')}</span> : null}
            </span>
            <span>{text('account.sessions.seen', { date: dayText(seenAt, format) })}</span>
            {current ? null : (
              <Button
                className="needs-script"
                disabled={busy}
                onClick={() =>
                  void attempt(async () => {
                    await removed(accountApi.endSession(id))
                    await refresh()
                  })
                }
              >
                {text('account.sessions.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ProblemLine problem={problem} />
    </Section>
  )
}
