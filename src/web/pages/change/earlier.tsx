import { Clock, X } from 'lucide-react'
import type { ChangeData } from '#contract/pages.ts'
import { Button } from '../../components/button.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { HiddenFields } from '../../components/hidden-fields.tsx'
import { Time } from '../../components/time.tsx'
import { useText } from '../../i18n/text.tsx'
import css from './change.module.css'

/**
 * The addresses that this browser had, with forms that also work without JavaScript. Only the server sees their secrets,
 * in a cookie.
 */
export function Earlier({ address: shown, earlier, newSecret, premium }: Omit<ChangeData, 'replaced'>) {
  const text = useText()
  if (earlier.length === 0) return null
  return (
    <section id="earlier" className={css.earlier} aria-labelledby="earlier-title">
      <h2 id="earlier-title">{text('earlier.title')}</h2>
      <p className={css.soft}>{text('earlier.text')}</p>
      <ul>
        {earlier.map(({ address, usedAt }) => (
          <li key={address}>
            <div className={css.past}>
              <EmailAddress>{address}</EmailAddress>
              <span className={css.soft}>
                <Clock size={14} aria-hidden /> <Time at={usedAt} day />
              </span>
            </div>
            <form method="post" action="/actions/take-again">
              <HiddenFields address={address} secret={newSecret} shown={shown} signedIn={premium ? 'yes' : undefined} />
              <Button type="submit" aria-label={`${text('earlier.take')} ${address}`}>
                {text('earlier.take')}
              </Button>
            </form>
            <form method="post" action="/actions/forget">
              <HiddenFields address={address} />
              <button type="submit" className={css.forget} aria-label={text('earlier.forgetThis', { address })}>
                <X size={18} aria-hidden />
              </button>
            </form>
          </li>
        ))}
      </ul>
      <form method="post" action="/actions/forget">
        <HiddenFields shown={shown} />
        <Button type="submit" look="quiet">
          {text('earlier.forgetAll')}
        </Button>
      </form>
    </section>
  )
}
