import { ExternalLink } from 'lucide-react'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { useText } from '../i18n/text.tsx'
import { buttonClass } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import css from './code-or-link.module.css'

/** An uncertain candidate is offered from this confidence on. */
const OFFERED = 0.25

/** The most characters of a host that are shown. Of a longer one, the end is shown, because it has the registered domain. */
const LONGEST_HOST = 60

const endOf = (host: string): string => (host.length > LONGEST_HOST ? `…${host.slice(-LONGEST_HOST)}` : host)

/** The host of a link; null if this browser can't read the link: the server may know newer rules for international names. */
function hostOf(link: string): string | null {
  try {
    return new URL(link).host
  } catch {
    return null
  }
}

/** What a message offers: the certain code and link, or else the most probable candidate. */
export function offerOf({ code, link, candidates }: Pick<MessageSummaryJson, 'code' | 'link' | 'candidates'>) {
  if (code !== null || link !== null) return { code, link, maybe: false }
  const [best] = candidates
  if (!best || best.confidence < OFFERED) return undefined
  const { kind, value } = best
  return { code: kind === 'code' ? value : null, link: kind === 'link' ? value : null, maybe: true }
}

/**
 * The code of a message with a Copy button, and its link with an Open button. What is probable but not certain is shown
 * as such. Renders nothing if nothing was found.
 */
export function CodeOrLink({ message }: { message: Pick<MessageSummaryJson, 'id' | 'code' | 'link' | 'candidates'> }) {
  const text = useText()
  const offer = offerOf(message)
  if (!offer) return null
  const { code, link, maybe } = offer
  const host = link && hostOf(link)
  if (!(code || host)) return null
  return (
    <span className={css.found} data-maybe={maybe || undefined} data-offer={message.id}>
      {code === null ? null : (
        <span className={css.chip}>
          <span className={maybe ? css.maybe : 'quiet'}>{text(maybe ? 'code.maybe' : 'code.label')}</span>
          <bdi className={css.code} dir="ltr">
            {code}
          </bdi>
          <CopyButton
            value={code}
            label={text('code.copy', { code })}
            className={css.action}
            look={maybe ? 'plain' : 'main'}
          >
            {text('address.copy')}
          </CopyButton>
        </span>
      )}
      {host && link ? (
        <span className={css.chip}>
          {maybe ? <span className={css.maybe}>{text('code.maybe')}</span> : null}
          {code === null ? (
            <bdi className={css.host} dir="ltr">
              {endOf(host)}
            </bdi>
          ) : null}
          <a
            className={`${buttonClass(code === null && !maybe ? 'main' : 'plain')} ${css.action}`}
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={text('link.openHost', { host })}
          >
            <ExternalLink size={16} aria-hidden />
            <span>{text('link.open')}</span>
          </a>
        </span>
      ) : null}
    </span>
  )
}
