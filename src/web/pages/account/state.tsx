import { useEffect, useState } from 'react'
import type { AccountJson } from '#contract/account.ts'
import { MINUTE } from '#core/time.ts'
import { pathIn } from '#locales/languages.ts'
import { accountApi } from '../../api/account-api.ts'
import { usePage } from '../../app/page.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useNow } from '../../hooks/use-now.ts'
import { dayText } from '../../i18n/day.ts'
import { type MessageKey, useLanguage, useText } from '../../i18n/text.tsx'
import { leaveFor } from '../../navigation/leave-for.ts'
import css from './account.module.css'

const TITLES: Record<AccountJson['state'], MessageKey> = {
  active: 'account.state.active',
  ending: 'account.state.active',
  failing: 'account.state.failing',
  ended: 'account.state.ended',
  lapsed: 'account.state.ended',
}

/**
 * Number of refreshes after a return from the provider's portal, and the milliseconds between them. The visitor is
 * often back before the provider's payment event arrives.
 */
const REFRESHES = 5
const REFRESH_INTERVAL = 2000

function useRefreshAfterPortal(): void {
  const { payload, refresh, loading } = usePage()
  const { from } = payload.query
  const [count, setCount] = useState(0)
  // Never while a page is loading: that would start the load again.
  const waiting = from === 'portal' && count < REFRESHES && !loading
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setTimeout(() => {
      setCount((before) => before + 1)
      void refresh()
    }, REFRESH_INTERVAL)
    return () => clearTimeout(timer)
  }, [waiting, refresh])
}

/** The state of the subscription, its end, and the available actions; `paid`: directly after a payment. */
export function State({ account, paid }: { account: AccountJson; paid: boolean }) {
  const text = useText()
  const { code, format } = useLanguage()
  const { busy, problem, attempt } = useAttempt()
  useRefreshAfterPortal()
  // Not shown again after a reload.
  useEffect(() => {
    if (paid) history.replaceState(history.state, '', location.pathname)
  }, [paid])
  const now = useNow(MINUTE)
  const { state, paidUntil, renewsAt, endsAt, lapsesAt, portal } = account
  const renewal = renewsAt ?? paidUntil
  // Until the provider reports a payment or a failure, which takes an hour for a card and weeks for a bank debit.
  const renewing = state === 'active' && renewal !== null && Date.parse(renewal) <= now
  const dates = { active: renewing ? endsAt : renewal, ending: endsAt, failing: endsAt, ended: lapsesAt, lapsed: null }
  const until = dates[state]
  const words = renewing ? 'account.state.renewing.text' : (`account.state.${state}.text` as const)
  const isOver = state === 'ended' || state === 'lapsed'
  return (
    <section className={css.state} data-state={state} aria-labelledby="state-title">
      <div className={css.words}>
        <h2 id="state-title">{text(TITLES[state])}</h2>
        <p>{text(words, { date: until === null ? '' : dayText(until, format) })}</p>
        {paid ? <p>{text('checkout.signedIn.text')}</p> : null}
        <ProblemLine problem={problem} />
      </div>
      <div className={css.actions}>
        {portal ? (
          <Button
            className="needs-script"
            look={state === 'failing' ? 'main' : 'plain'}
            disabled={busy}
            onClick={() => void attempt(async () => leaveFor((await accountApi.portal()).url))}
          >
            {text('account.manage')}
          </Button>
        ) : null}
        {(account.renews && !isOver) || paid ? null : (
          <Link className={buttonClass(isOver ? 'main' : 'plain')} href={pathIn(code, '/premium')}>
            {text('account.buy')}
          </Link>
        )}
      </div>
    </section>
  )
}
