import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { randomLogin } from '#core/mailbox/random-login.ts'
import { usePayload } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import type { Inbox } from '../../hooks/use-inbox.ts'
import { useText } from '../../i18n/text.tsx'
import { useReplacing } from './new-address.tsx'
import css from './generator.module.css'

const SUGGESTIONS = 5

/** A uniform integer below `bound`. */
function random(bound: number): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  const fair = 2 ** 32 - (2 ** 32 % bound)
  return value < fair ? value % bound : random(bound)
}

const draw = (): string[] => Array.from({ length: SUGGESTIONS }, () => randomLogin(random))

/** Suggests addresses. The visitor chooses the domain, draws again, or takes one. */
export function Generator({ inbox }: { inbox: Inbox }) {
  const text = useText()
  const { domains } = usePayload('home').data
  const [domain, setDomain] = useState(domains[0] ?? '')
  const [logins, setLogins] = useState<string[]>([])
  const { replace, dialog } = useReplacing(inbox)
  useEffect(() => setLogins(draw()), [])
  const current = inbox.address?.address
  return (
    <section aria-labelledby="generator-title">
      <div className={css.head}>
        <h2 id="generator-title">{text('generator.title')}</h2>
        {domains.length > 1 ? (
          <select
            dir="ltr"
            aria-label={text('change.domain')}
            value={domain}
            onChange={({ currentTarget }) => setDomain(currentTarget.value)}
          >
            {domains.map((each) => (
              <option key={each} value={each}>
                @{each}
              </option>
            ))}
          </select>
        ) : null}
        <Button icon={<RefreshCw size={18} aria-hidden />} onClick={() => setLogins(draw())}>
          {text('generator.again')}
        </Button>
      </div>
      <ul className={css.list} aria-live="polite">
        {logins.map((login) => {
          const address = `${login}@${domain}`
          return (
            <li key={login}>
              <EmailAddress>{address}</EmailAddress>
              <Button
                disabled={inbox.busy || address === current}
                aria-label={`${text('generator.take')} ${address}`}
                onClick={() => replace({ login, domain })}
              >
                {text('generator.take')}
              </Button>
            </li>
          )
        })}
      </ul>
      {dialog}
    </section>
  )
}
