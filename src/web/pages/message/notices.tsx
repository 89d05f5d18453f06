import { ImageOff, ShieldAlert } from 'lucide-react'
import { verdictOf } from '../../components/authenticity.tsx'
import { Button } from '../../components/button.tsx'
import { useText } from '../../i18n/text.tsx'
import type { MessageData } from './message-data.ts'
import css from './message.module.css'

type Signs = Pick<MessageData, 'lookalike' | 'links' | 'authentication'>

const deceptive = ({ links }: Pick<MessageData, 'links'>) => links.filter(({ named }) => named !== null)

/** Whether at least two of the signs of a forgery come together. One alone is common in honest email. */
export function isForgery(message: Signs): boolean {
  const signs = [
    message.lookalike !== null,
    verdictOf(message.authentication) === 'fail',
    deceptive(message).length > 0,
  ]
  return signs.filter(Boolean).length >= 2
}

/** The signs of a forgery. */
export function ForgeryNotice({ message }: { message: Signs }) {
  const text = useText()
  return (
    <div className={css.forgery} role="note">
      <ShieldAlert size={20} aria-hidden />
      <div>
        <strong>{text('auth.fake.text')}</strong>
        <ul>
          {message.lookalike === null ? null : <li>{text('auth.fake.lookalike', { domain: message.lookalike })}</li>}
          {verdictOf(message.authentication) === 'fail' ? <li>{text('auth.fail.text')}</li> : null}
          <OtherHosts links={deceptive(message)} />
        </ul>
      </div>
    </div>
  )
}

function OtherHosts({ links }: Pick<MessageData, 'links'>) {
  const text = useText()
  const pairs = new Map(links.map(({ named, host }) => [`${named} ${host}`, { named: named ?? '', host }]))
  return [...pairs].map(([key, pair]) => <li key={key}>{text('links.other', pair)}</li>)
}

/** The links whose text names another host. */
export function LinkReport({ message }: { message: MessageData }) {
  const text = useText()
  const links = deceptive(message)
  if (links.length === 0) return null
  return (
    <>
      <dt>{text('links.title')}</dt>
      <dd>
        <ul className={css.report}>
          <OtherHosts links={links} />
        </ul>
      </dd>
    </>
  )
}

/** What the message would report about its reader, and to whom. */
export function TrackerReport({ trackers, words }: { trackers: MessageData['trackers']; words: string }) {
  const text = useText()
  if (trackers.hosts.length === 0) return null
  return (
    <>
      <dt>{text('trackers.title')}</dt>
      <dd>
        <ul className={css.report}>
          {trackers.hosts.map(({ host, company, images, pixels, links }) => (
            <li key={host}>
              <bdi dir="ltr">{host}</bdi>
              {company === null ? '' : ` (${company})`}
              <span className={css.soft}>
                {[
                  images > 0 && text('trackers.images', { count: images }),
                  pixels > 0 && text('trackers.pixels', { count: pixels }),
                  links > 0 && text('trackers.links', { count: links }),
                ]
                  .filter((part) => part !== false)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
        {trackers.images > 0 ? <p className={css.soft}>{words}</p> : null}
      </dd>
    </>
  )
}

interface StripProps {
  trackers: MessageData['trackers']
  onLoad: () => void
}

/** One line above a message: what was not loaded, and the button that loads it. */
export function BlockedStrip({ trackers: { images, links }, onLoad }: StripProps) {
  const text = useText()
  return (
    <div className={css.strip}>
      <ImageOff size={18} aria-hidden />
      <p className={css.counts}>
        <span>{text('trackers.blocked', { count: images })}</span>
        {links > 0 ? <span>{text('trackers.links', { count: links })}</span> : null}
      </p>
      <Button
        className="needs-script"
        look="quiet"
        // The name contains the visible label (WCAG 2.5.3).
        aria-label={`${text('message.show')}: ${text('message.loadRemote')}`}
        title={text('message.loadRemote')}
        onClick={onLoad}
      >
        {text('message.show')}
      </Button>
    </div>
  )
}
