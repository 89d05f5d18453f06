import { SECOND, MINUTE, HOUR } from '#core/time.ts'
import { pathIn } from '#locales/languages.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { HiddenFields } from '../../components/hidden-fields.tsx'
import { Link } from '../../components/link.tsx'
import { TimeSentence } from '../../components/time.tsx'
import type { ShownAddress } from '../../hooks/inbox-state.ts'
import { useNow } from '../../hooks/use-now.ts'
import { getNumberFormat } from '../../i18n/formats.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import css from './hero.module.css'
import own from './time-left.module.css'

/** Hours, minutes and seconds until a time; never negative. */
export function partsLeft(milliseconds: number): { hours: number; minutes: number; seconds: number } {
  const left = Math.max(0, milliseconds)
  return {
    hours: Math.floor(left / HOUR),
    minutes: Math.floor((left % HOUR) / MINUTE),
    seconds: Math.floor((left % MINUTE) / SECOND),
  }
}

interface Props {
  address: ShownAddress
  onExtend: () => Promise<unknown>
  busy: boolean
}

/** The remaining time, and a link to what is stored meanwhile. */
export function TimeLeft({ address: { address, expiresAt, lifetime }, onExtend, busy }: Props) {
  const text = useText()
  const { code, format } = useLanguage()
  const { path, site } = usePage().payload
  const short = lifetime === 'ten-minutes'
  const endless = lifetime === 'subscription'
  const now = useNow(short ? SECOND : 20 * SECOND)
  const left =
    expiresAt === ''
      ? short
        ? site.limits.shortMinutes * MINUTE
        : site.limits.addressHours * HOUR
      : Date.parse(expiresAt) - now
  // Whole minutes are rounded up: a new address has 24 hours left, not 23 and 59 minutes. The last one is not empty.
  const { hours, minutes, seconds } = partsLeft(short ? left : Math.max(1, Math.ceil(left / MINUTE)) * MINUTE)
  // Forwarding keeps the address for days. A visit does not extend it then.
  const days = !short && hours > site.limits.addressHours
  const { format: two } = getNumberFormat(format.locale, { minimumIntegerDigits: 2 })
  return (
    <div className={css.left}>
      <strong>
        {endless ? (
          text('kept.lives')
        ) : short ? (
          text('address.left.short', { minutes: two(hours * 60 + minutes), seconds: two(seconds) })
        ) : days ? (
          <TimeSentence words="address.until" at={expiresAt} day="short" />
        ) : (
          text('address.left.day', { hours, minutes })
        )}
      </strong>
      {short ? (
        <form method="post" action="/actions/extend">
          <HiddenFields path={path} shown={address} />
          <Button
            type="submit"
            disabled={busy}
            onClick={(event) => {
              event.preventDefault()
              void onExtend()
            }}
          >
            {text('address.extend')}
          </Button>
        </form>
      ) : endless || days ? null : (
        <span className={css.sliding}>{text('address.sliding')}</span>
      )}
      <Link href={pathIn(code, '/privacy')} className={own.privacy}>
        {text('footer.privacy')}
      </Link>
    </div>
  )
}
