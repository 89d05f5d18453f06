import { useLanguage, useText } from '../../i18n/text.tsx'
import { usePage, usePayload } from '../../page.tsx'
import type { Inbox } from '../../hooks/use-inbox.ts'
import { Button } from '../../components/button.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { AddressActions } from './address-actions.tsx'
import { AddressLine } from './address-line.tsx'
import css from './hero.module.css'
import { TimeLeft } from './time-left.tsx'
import { Water } from './water.tsx'

/** The address over still water: the first thing one sees, and what one came for. */
export function Hero({ inbox, first }: { inbox: Inbox; first: boolean }) {
  const text = useText()
  const { address } = inbox
  const { tool, text: about } = usePayload('home').data
  return (
    <section className={css.hero} aria-labelledby="address-title">
      <Water />
      <div className={css.inside}>
        <h1 id="address-title" className={css.title}>
          {tool === 'home' ? text('home.title') : about.title}
        </h1>
        {address ? (
          <>
            <AddressLine address={address.address} />
            <AddressActions inbox={inbox} address={address} />
            <TimeLeft address={address} onExtend={inbox.extend} busy={inbox.busy} />
          </>
        ) : (
          <NoAddress inbox={inbox} preparing={first && !inbox.ended && !inbox.problem} />
        )}
        <ProblemLine problem={inbox.problem} />
      </div>
    </section>
  )
}

function NoAddress({ inbox, preparing }: { inbox: Inbox; preparing: boolean }) {
  const text = useText()
  const { code } = useLanguage()
  const { payload } = usePage()
  const { tool, other } = usePayload('home').data
  const tenMinutes = tool === 'ten-minute-mail'
  const offer = text(tenMinutes ? 'home.tenMinutes' : inbox.ended ? 'home.getNewAddress' : 'home.getAddress')
  const explanation = other === null ? text('home.noneText') : text('home.replaces', { address: other })
  return (
    <>
      {preparing ? (
        <div className={`${css.plate} ${css.preparing} needs-script`}>
          <p role="status">{text('home.preparing')}</p>
        </div>
      ) : null}
      <div className={preparing ? 'without-script' : undefined}>
        <p className={css.none} role={inbox.ended ? 'alert' : undefined}>
          {inbox.ended ? <strong>{text('home.ended')} </strong> : null}
          {inbox.ended ? text('home.endedText') : explanation}
        </p>
        <form method="post" action="/actions/create">
          <input type="hidden" name="lang" value={code} />
          <input type="hidden" name="path" value={payload.path} />
          {tenMinutes ? <input type="hidden" name="lifetime" value="ten-minutes" /> : null}
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
      </div>
    </>
  )
}
