import type { MessageSummary } from '@mayfly/client'
import { ExternalLink, TextCursorInput } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../src/web/components/button.tsx'
import { CopyButton } from '../../../../src/web/components/copy-button.tsx'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { endOffer, openLink } from '../background/offers.ts'
import { fillCodeIn } from '../state/fill-page.ts'
import { mayFillCode, siteOf } from '../state/fills.ts'
import { type Fill, type Held, readState } from '../state/state.ts'
import css from './popup.module.css'

/** The tab under the popup. */
export interface PageOfTab {
  id: number | undefined
  origin: string
  /** Where addresses were filled in. */
  fills: Fill[]
}

interface Props {
  message: Pick<MessageSummary, 'code' | 'link' | 'from' | 'subject'>
  held: Held
  tab: PageOfTab
}

/** The code of a message and its confirmation link. */
export function Found({ message, held, tab }: Props) {
  const { code, link } = message
  const text = useText()
  const mayFill = mayFillCode(tab, held.address, message, tab.origin)
  const [note, setNote] = useState('')
  if (code === null && link === null) return null

  async function fill(value: string): Promise<void> {
    if (tab.id === undefined || !mayFillCode(await readState(), held.address, message, tab.origin)) return
    const filled = await fillCodeIn(tab.id, tab.origin, value)
    if (filled === 'filled') {
      await endOffer(tab.id)
      close()
    } else setNote(text(filled === 'blocked' ? 'extension.blocked' : 'extension.noCodeField'))
  }

  async function open(url: string): Promise<void> {
    const filled = siteOf(await readState(), held.address, message)
    if (filled) await endOffer(filled.tabId)
    await openLink(url, filled)
    close()
  }

  const host = URL.parse(link ?? '')?.host ?? ''
  return (
    <div className={css.found}>
      {code === null ? null : (
        <>
          <bdi className={css.code} dir="ltr">
            {code}
          </bdi>
          <CopyButton value={code} label={text('code.copy', { code })} look={mayFill ? 'plain' : 'main'}>
            {text('address.copy')}
          </CopyButton>
          {mayFill ? (
            <Button look="main" icon={<TextCursorInput size={18} aria-hidden />} onClick={() => void fill(code)}>
              {text('extension.fillCode', { code })}
            </Button>
          ) : null}
        </>
      )}
      {link === null ? null : (
        <Button
          look={code === null ? 'main' : 'plain'}
          icon={<ExternalLink size={18} aria-hidden />}
          aria-label={text('link.openHost', { host })}
          title={text('link.openHost', { host })}
          onClick={() => void open(link)}
        >
          {text('link.open')}
        </Button>
      )}
      <span role="status">{note}</span>
    </div>
  )
}
