import { ExternalLink } from 'lucide-react'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { useText } from '../i18n/text.tsx'
import { buttonClass } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import css from './code-or-link.module.css'

/**
 * The code of a message with a Copy button, else its link with an Open button. Renders nothing if neither was found.
 */
export function CodeOrLink({
  message: { code, link },
  both = false,
}: {
  message: Pick<MessageSummaryJson, 'code' | 'link'>
  both?: boolean
}) {
  const text = useText()
  if (code === null && link === null) return null
  const host = link === null ? '' : new URL(link).host
  return (
    <span className={css.found}>
      {code === null ? null : (
        <span className={css.chip}>
          <span className="quiet">{text('code.label')}</span>
          <bdi className={css.code} dir="ltr">
            {code}
          </bdi>
          <CopyButton value={code} label={text('code.copy', { code })} className={css.action}>
            {text('address.copy')}
          </CopyButton>
        </span>
      )}
      {link === null || (code !== null && !both) ? null : (
        <span className={css.chip}>
          <bdi className={css.host}>{host}</bdi>
          <a
            className={`${buttonClass(code === null ? 'main' : 'plain')} ${css.action}`}
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={text('link.openHost', { host })}
          >
            <ExternalLink size={16} aria-hidden />
            <span>{text('link.open')}</span>
          </a>
        </span>
      )}
    </span>
  )
}
