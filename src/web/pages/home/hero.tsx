import { useLanguage, useText } from '../../i18n/text.tsx'
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
  return (
    <section className={css.hero} aria-labelledby="address-title">
      <Water />
      <div className={css.inside}>
        <h1 id="address-title" className={css.title}>
          {text('home.title')}
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
  const offer = text(inbox.ended ? 'home.getNewAddress' : 'home.getAddress')
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
          {text(inbox.ended ? 'home.endedText' : 'home.noneText')}
        </p>
        <form method="post" action="/actions/create">
          <input type="hidden" name="lang" value={code} />
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
