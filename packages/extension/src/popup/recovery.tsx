import { renderSVG } from 'uqr'
import { pathIn } from '../../../../locales/languages.ts'
import { Button } from '../../../../src/web/components/button.tsx'
import { CopyButton } from '../../../../src/web/components/copy-button.tsx'
import { useLanguage, useText } from '../../../../src/web/i18n/text.tsx'
import type { Held } from '../state/state.ts'
import css from './popup.module.css'

/** The link that opens the address on another device, as a QR code. */
export function Recovery({ held, onBack }: { held: Held; onBack: () => void }) {
  const text = useText()
  const { code } = useLanguage()
  const url = `${held.service}${pathIn(code, '/')}#secret=${held.secret}`
  const image = `data:image/svg+xml,${encodeURIComponent(renderSVG(url, { border: 2 }))}`
  return (
    <section className={css.change}>
      <h2>{text('recovery.title')}</h2>
      <p>{text('recovery.text')}</p>
      <img className={css.qr} src={image} alt={text('recovery.qr')} />
      <div className={css.actions}>
        <CopyButton value={url}>{text('recovery.copyLink')}</CopyButton>
        <Button onClick={onBack}>{text('recovery.close')}</Button>
      </div>
    </section>
  )
}
