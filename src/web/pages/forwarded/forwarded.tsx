import type { ForwardedData } from '#contract/pages.ts'
import { pathIn } from '#locales/languages.ts'
import { usePayload } from '../../app/page.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { dayText } from '../../i18n/day.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { Answers } from './answers.tsx'
import { Route } from './route.tsx'
import css from './forwarded.module.css'

type Shown = 'confirm' | 'stop' | 'off' | 'over' | 'confirmed' | 'declined' | 'never' | 'stopped'

/** The view to show. The result of the last action is shown as long as it still applies. */
function shownOf({ link, live, done }: ForwardedData): Shown {
  if (link === 'over') return 'over'
  if (done === 'declined' || done === 'never') return done
  if (done === 'stopped' && !live) return done
  if (done === 'confirmed' && live) return done
  return live ? link : 'off'
}

/** The page behind the links of forwarding emails: the destination can consent, stop, or block further requests. */
export function Forwarded() {
  const text = useText()
  const { code, format } = useLanguage()
  const { data, problem } = usePayload('forwarded')
  const { link, token, address, destination, until, days } = data
  const shown = shownOf(data)
  const terms = until !== null ? 'forwarded.until' : days !== null ? 'forwarded.days' : 'forwarded.open'
  const agreed = shown === 'confirm' || shown === 'confirmed'
  const asks = shown === 'confirm' || shown === 'stop'
  const mayRefuse = asks || shown === 'off' || shown === 'stopped' || shown === 'declined'
  return (
    <div className={css.forwarded}>
      <div role={asks ? undefined : 'status'}>
        <Notice title={text(`forwarded.${shown}`)} words={text(`forwarded.${shown}.text`)}>
          {address !== null && destination !== null && (agreed || shown === 'stop') ? (
            <Route address={address} destination={destination} state={shown} />
          ) : null}
          {agreed ? (
            <ul className={css.points}>
              <li>{text('forwarded.whole')}</li>
              <li>{text(terms, { days: days ?? 0, date: until === null ? '' : dayText(until, format) })}</li>
              <li>{text('forwarded.stopAnyTime')}</li>
            </ul>
          ) : null}
          <ProblemLine problem={problem} />
          {mayRefuse && token !== null ? <Answers shown={shown} link={link} token={token} /> : null}
          {shown === 'confirm' ? <p className={css.soft}>{text('forwarded.nothing')}</p> : null}
          <p className={css.who}>
            {text('forwarded.who')} <Link href={pathIn(code, '/')}>{text('forwarded.about')}</Link>
          </p>
        </Notice>
      </div>
    </div>
  )
}
