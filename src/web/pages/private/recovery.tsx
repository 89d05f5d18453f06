import { Download } from 'lucide-react'
import { useState } from 'react'
import { pathIn } from '#locales/languages.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import type { Unsaved } from '../../private/unsaved.ts'
import { useStay } from './use-stay.ts'
import fields from '../../components/field.module.css'
import css from './private.module.css'

interface Props extends Pick<Unsaved, 'address' | 'phrase' | 'kept'> {
  onSaved: () => void
}

/** The recovery phrase, shown until the visitor confirms that it was saved. */
export function Recovery({ address, phrase, kept, onSaved }: Props) {
  const text = useText()
  const { code } = useLanguage()
  const [saved, setSaved] = useState(false)

  useStay(!saved)

  function save(): void {
    const url = location.origin + pathIn(code, '/account')
    const lines = [
      text('private.fileTitle', { address }),
      phrase,
      text('private.fileHow', { url }),
      text('private.warning'),
    ]
    saveFile(`mayfly-${address}.txt`, `${lines.join('\n\n')}\n`)
  }

  return (
    <section className={fields.column} aria-labelledby="recovery-title">
      <div className={fields.head}>
        <h1 id="recovery-title">{text('private.save')}</h1>
        <p className={css.name}>
          <EmailAddress>{address}</EmailAddress>
        </p>
        <p className={fields.intro}>{text('private.saveText')}</p>
      </div>
      {kept ? null : (
        <p className={css.warning} role="alert">
          {text('private.notKept')}
        </p>
      )}
      <div className={fields.form}>
        <ol className={css.words} dir="ltr" lang="en" translate="no" aria-label={text('private.words')}>
          {phrase.split(' ').map((word, i) => (
            // oxlint-disable-next-line react/no-array-index-key -- words can repeat, and their order is fixed
            <li key={i}>{word}</li>
          ))}
        </ol>
        <div className={fields.actions}>
          <Button look="main" icon={<Download size={18} aria-hidden />} onClick={save}>
            {text('private.file')}
          </Button>
          <CopyButton look="plain" value={phrase}>
            {text('private.copy')}
          </CopyButton>
        </div>
        <p className={css.warning}>{text('private.warning')}</p>
        <label className={css.check}>
          <input type="checkbox" checked={saved} onChange={(event) => setSaved(event.target.checked)} />
          <span>{text('private.saved')}</span>
        </label>
        <div className={fields.actions}>
          <Button look="main" disabled={!saved} onClick={onSaved}>
            {text('private.done')}
          </Button>
        </div>
      </div>
    </section>
  )
}
