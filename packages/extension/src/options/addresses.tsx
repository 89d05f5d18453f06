import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../../src/web/components/button.tsx'
import { saveFile } from '../../../../src/web/components/save-file.ts'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { hideMarks } from '../background/marks.ts'
import { forgetEverything } from '../state/account.ts'
import { forget } from '../state/addresses.ts'
import type { State } from '../state/state.ts'
import { exportList, importList } from '../state/transfer.ts'
import css from './options.module.css'

/** Lists, exports and imports the addresses of the extension, and forgets them. */
export function Addresses({ state: { held } }: { state: State }) {
  const text = useText()
  const file = useRef<HTMLInputElement>(null)
  const [note, setNote] = useState('')
  const [asking, setAsking] = useState(false)

  const save = async (): Promise<void> => saveFile('mayfly-addresses.json', await exportList(), 'application/json')

  async function load(chosen: File | undefined): Promise<void> {
    if (!chosen) return
    try {
      setNote(text('extension.imported', { count: await importList(await chosen.text()) }))
    } catch {
      setNote(text('extension.importFailed'))
    }
  }

  return (
    <section className={css.part}>
      <h2>{text('extension.addresses')}</h2>
      {held.length === 0 ? <p>{text('extension.none')}</p> : null}
      <ul className={css.list}>
        {held.map((each) => (
          <li key={`${each.service} ${each.address}`}>
            <span>
              <bdi dir="ltr">{each.address}</bdi>
              <br />
              <small dir="ltr">{new URL(each.site ?? each.service).host}</small>
            </span>
            <Button
              look="quiet"
              icon={<Trash2 size={18} aria-hidden />}
              title={text('earlier.forgetThis', { address: each.address })}
              aria-label={text('earlier.forgetThis', { address: each.address })}
              onClick={() => void forget(each)}
            >
              {text('forwarding.remove')}
            </Button>
          </li>
        ))}
      </ul>
      <p>{text('extension.exportHint')}</p>
      <div className={css.actions}>
        <Button onClick={() => void save()}>{text('extension.export')}</Button>
        <Button onClick={() => file.current?.click()}>{text('extension.import')}</Button>
        <Button look="danger" onClick={() => setAsking(true)}>
          {text('extension.forget')}
        </Button>
        <input
          ref={file}
          type="file"
          accept="application/json"
          hidden
          onChange={({ target }) => {
            void load(target.files?.[0])
            // The same file can be chosen again.
            target.value = ''
          }}
        />
      </div>
      <p role="status">{note}</p>
      {asking ? (
        <div className={css.ask} role="alertdialog" aria-label={text('extension.forget')}>
          <p>{text('extension.forgetText')}</p>
          <div className={css.actions}>
            <Button look="danger" onClick={() => void forgetEverything(hideMarks).then(() => location.reload())}>
              {text('extension.forget')}
            </Button>
            <Button onClick={() => setAsking(false)}>{text('delete.cancel')}</Button>
          </div>
        </div>
      ) : null}
    </section>
  )
}
