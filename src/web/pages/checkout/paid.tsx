import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { OrderJson } from '#contract/orders.ts'
import { pathIn } from '#locales/languages.ts'
import { accountApi } from '../../api/account-api.ts'
import { problemOf } from '../../api/api.ts'
import { usePage } from '../../app/page.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'

/**
 * Shown for a paid order. The browser that paid for a new account is signed in: automatically, or with a click without
 * JavaScript. Otherwise it is signed in already, or signs in by email.
 */
export function Paid({ order, description }: { order: OrderJson; description: string }) {
  const text = useText()
  const { code } = useLanguage()
  const { go, payload } = usePage()
  const { busy, problem, attempt } = useAttempt()
  const [refused, setRefused] = useState(false)
  const tried = useRef(false)
  const account = pathIn(code, '/account')
  const signsIn = order.signsIn && !refused
  const signedIn = payload.site.account !== null
  // Somebody else may have signed in since the order was placed.
  const isOpen = signsIn || order.forAccount

  const open = useCallback(
    () =>
      attempt(async () => {
        try {
          await accountApi.openPaid(order.id)
        } catch (error) {
          // In the meantime, the order was used or somebody signed in by email.
          if (problemOf(error).code !== 'sign_in_by_email') throw error
          return setRefused(true)
        }
        await go(`${account}?from=checkout`, { replace: true, done: true })
      }),
    [attempt, order.id, go, account],
  )
  useEffect(() => {
    // Only once: after a failure, the visitor decides.
    if (!signsIn || tried.current) return
    tried.current = true
    void open()
  }, [signsIn, open])

  function submit(event: FormEvent): void {
    event.preventDefault()
    void open()
  }

  return (
    <div role="status">
      <Notice
        above={description}
        title={text('account.state.active')}
        words={text(isOpen ? 'checkout.signedIn.text' : 'checkout.paid.text')}
      >
        {signsIn ? (
          <form method="post" action="/actions/sign-in-order" onSubmit={submit} aria-busy={busy}>
            <input type="hidden" name="lang" value={code} />
            <input type="hidden" name="order" value={order.id} />
            <Button type="submit" look="main" disabled={busy}>
              {text('checkout.account')}
            </Button>
            <ProblemLine problem={problem} />
          </form>
        ) : (
          <Link className={buttonClass('main')} href={account}>
            {text(signedIn ? 'checkout.account' : 'account.link.confirm')}
          </Link>
        )}
      </Notice>
    </div>
  )
}
