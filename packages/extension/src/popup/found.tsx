import type { MessageSummary } from '@mayfly/client'
import { ExternalLink, TextCursorInput } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../src/web/components/button.tsx'
import { CopyButton } from '../../../../src/web/components/copy-button.tsx'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { endOffer, openLink } from '../background/offers.ts'
import { fillCodeIn } from '../state/fill-page.ts'
import { mayFillCode } from '../state/fills.ts'
import { type Held, readState } from '../state/state.ts'
import css from './popup.module.css'

/** The tab under the popup. */
export interface PageOfTab {
  id: number | undefined
  origin: string
  /** Whether a code for the address may be filled in there. */
  mayFill: boolean
}

interface Props {
  message: Pick<MessageSummary, 'code' | 'link'>
  held: Held
  tab: PageOfTab
}

/** The code of a message and its confirmation link. */
export function Found({ message: { code, link }, held, tab }: Props) {
  const text = useText()
  const [note, setNote] = useState('')
  if (code === null && link === null) return null

  async function fill(value: string): Promise<void> {
    if (tab.id === undefined || !mayFillCode(await readState(), held.address, tab.origin)) return
    const filled = await fillCodeIn(tab.id, held.address, value)
    if (filled === 'filled') {
      await endOffer(tab.id)
      close()
    } else setNote(text(filled === 'blocked' ? 'extension.blocked' : 'extension.noCodeField'))
  }

  async function open(url: string): Promise<void> {
    const { fills } = await readState()
    const filled = fills.findLast(({ address }) => address === held.address)
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
          <CopyButton value={code} label={text('code.copy', { code })} look={tab.mayFill ? 'plain' : 'main'}>
            {text('address.copy')}
          </CopyButton>
          {tab.mayFill ? (
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
