import { useEffect, useRef } from 'react'
import { pathIn } from '#locales/languages.ts'
import { usePage, usePayload } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { WithAddress } from '../../components/email-address.tsx'
import { HiddenFields } from '../../components/hidden-fields.tsx'
import { lazyComponent } from '../../components/lazy.tsx'
import { Link } from '../../components/link.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { focusMain, keepFocus } from '../../hooks/keep-focus.ts'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import type { Inbox } from '../../hooks/use-inbox.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { AddressActions } from './address-actions.tsx'
import { AddressLine } from './address-line.tsx'
import { hintOf } from './hint.ts'
import { NewAddress } from './new-address.tsx'
import { TimeLeft } from './time-left.tsx'
import css from './hero.module.css'

const PremiumHint = lazyComponent(async () => (await import('./premium-hint.tsx')).PremiumHint)
const Switcher = lazyComponent(async () => (await import('./switcher.tsx')).Switcher)

/** The address with its actions, at the top of the home page. */
export function Hero({ inbox, preparing }: { inbox: Inbox; preparing: boolean }) {
  const text = useText()
  const { address } = inbox
  const { tool, text: about, kept, premium } = usePayload('home').data
  const hydrated = useHydrated()
  const { ended } = inbox
  const before = useRef(ended)
  // The button that had the focus is gone with the address.
  useEffect(() => {
    if (before.current !== ended && document.activeElement === document.body) focusMain()
    before.current = ended
  }, [ended])
  const hint = hintOf(inbox)
  const lifetime = tool === 'ten-minute-mail' ? 'ten-minutes' : 'day'
  // Reserves the space while the address is being created, to avoid a layout shift.
  const shown = address ?? (preparing ? { address: '', expiresAt: '', lifetime } : null)
  return (
    <section className={css.hero} aria-labelledby="address-title">
      <div className={css.inside}>
        <span key={inbox.arrived?.id} className={css.water} data-arrived={inbox.arrived !== null} aria-hidden />
        <h1 id="address-title" className={css.title}>
          {tool === 'home' ? text('home.title') : about.title}
        </h1>
        {kept ? (
          <div className={`${css.switch} needs-script`}>
            {hydrated ? <Switcher kept={kept} current={address?.address ?? null} /> : null}
          </div>
        ) : null}
        {shown ? (
          <div className={address ? undefined : `${css.expected} needs-script`}>
            <div className={css.plate}>
              <AddressLine address={shown.address} />
              <NewAddress inbox={inbox} address={shown.address} />
            </div>
            {/* Its dialogs belong to the address. */}
            <AddressActions key={`actions ${shown.address}`} inbox={inbox} address={shown} />
            <TimeLeft key={shown.address} address={shown} onExtend={inbox.extend} busy={inbox.busy} />
          </div>
        ) : null}
        {address || inbox.problem?.code === 'cookies_blocked' ? null : (
          <NoAddress inbox={inbox} className={preparing ? 'without-script' : undefined} />
        )}
        <ProblemLine problem={inbox.problem} onOver={inbox.onWaited} />
        {hydrated && hint && premium && !kept ? <PremiumHint hint={hint} premium={premium} /> : null}
      </div>
    </section>
  )
}

function NoAddress({ inbox, className }: { inbox: Inbox; className: string | undefined }) {
  const text = useText()
  const { code } = useLanguage()
  const { payload } = usePage()
  const { tool, other } = usePayload('home').data
  const tenMinutes = tool === 'ten-minute-mail'
  const offer = text(tenMinutes ? 'home.tenMinutes' : inbox.ended ? 'home.getNewAddress' : 'home.getAddress')
  const explanation =
    other === null ? (
      text('home.noneText')
    ) : (
      <WithAddress text={text('home.replaces', { address: other })} address={other} />
    )
  return (
    <div className={className}>
      <p className={css.none} role={inbox.ended ? 'alert' : undefined}>
        {inbox.ended ? <strong>{text('home.ended')} </strong> : null}
        {inbox.ended ? text('home.endedText') : explanation}
      </p>
      <form ref={keepFocus} method="post" action="/actions/create">
        <HiddenFields path={payload.path} shown={other ?? ''} lifetime={tenMinutes ? 'ten-minutes' : undefined} />
        <Button
          type="submit"
          look="main"
          disabled={inbox.busy}
          onClick={(event) => {
            event.preventDefault()
            void inbox.create()
          }}
        >
          {offer}
        </Button>
      </form>
      {inbox.ended ? (
        <p>
          <Link href={pathIn(code, '/change#earlier')}>{text('earlier.title')}</Link>
        </p>
      ) : null}
    </div>
  )
}
