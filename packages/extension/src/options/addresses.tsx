import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../../src/web/components/button.tsx'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { forgetEverything } from '../state/account.ts'
import { forget } from '../state/addresses.ts'
import type { State } from '../state/state.ts'
import { exportList, importList } from '../state/transfer.ts'
import css from './options.module.css'

/** Milliseconds after which every browser has started the download. */
const REVOKE_AFTER = 60_000

/** Lists, exports and imports the addresses of the extension, and forgets them. */
export function Addresses({ state: { held } }: { state: State }) {
  const text = useText()
  const file = useRef<HTMLInputElement>(null)
  const [note, setNote] = useState('')
  const [asking, setAsking] = useState(false)

  async function save(): Promise<void> {
    const url = URL.createObjectURL(new Blob([await exportList()], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = 'mayfly-addresses.json'
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER)
  }

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
            <Button look="danger" onClick={() => void forgetEverything().then(() => location.reload())}>
              {text('extension.forget')}
            </Button>
            <Button onClick={() => setAsking(false)}>{text('delete.cancel')}</Button>
          </div>
        </div>
      ) : null}
    </section>
  )
}
