import { Pencil, Plus, QrCode, TextCursorInput, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../../src/web/components/button.tsx'
import { CopyButton } from '../../../../src/web/components/copy-button.tsx'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { remove } from '../state/addresses.ts'
import { fillPage } from '../state/fill-page.ts'
import { changeState, type Held } from '../state/state.ts'
import { useAction } from '../ui/use-action.ts'
import css from './popup.module.css'

interface Props {
  held: Held
  picked: Held | undefined
  all: Held[]
  tab: { id: number | undefined }
  busy: boolean
  onChoose: (address: string) => void
  onNew: () => void
  onChange: () => void
  onRecovery: () => void
}

/** The address and what can be done with it. */
export function Hero({ held, picked, all, tab, busy, onChoose, onNew, onChange, onRecovery }: Props) {
  const text = useText()
  const action = useAction()
  const [note, setNote] = useState('')
  const [asking, setAsking] = useState(false)

  const fill = (): void =>
    action.run(async () => {
      const filled = tab.id === undefined ? 'blocked' : await fillPage(tab.id, picked)
      if (filled === 'filled') close()
      else setNote(text(filled === 'blocked' ? 'extension.blocked' : 'extension.noField'))
    })

  const choose = (address: string): void => {
    const of = all.find((each) => each.address === address)
    onChoose(address)
    // An address of one site does not become that of all others.
    if (of?.site === null) void changeState((state) => void (state.current[of.service] = address))
  }

  return (
    <section className={css.hero}>
      {all.length > 1 ? (
        <select
          className={css.choose}
          aria-label={text('kept.title')}
          value={held.address}
          onChange={({ target }) => choose(target.value)}
        >
          {all.map(({ address, site, label }) => (
            <option key={address} value={address}>
              {[address, site === null ? label : new URL(site).host].filter(Boolean).join(' · ')}
            </option>
          ))}
        </select>
      ) : null}
      <output className={css.address} dir="ltr">
        {held.address}
      </output>
      <div className={css.actions}>
        <CopyButton value={held.address} look="plain">
          {text('address.copy')}
        </CopyButton>
        <Button look="main" icon={<TextCursorInput size={18} aria-hidden />} disabled={action.busy} onClick={fill}>
          {text('extension.fill')}
        </Button>
      </div>
      <div className={css.tools}>
        <Tool name={text('extension.new')} icon={<Plus size={18} aria-hidden />} disabled={busy} onClick={onNew} />
        <Tool name={text('address.qr')} icon={<QrCode size={18} aria-hidden />} onClick={onRecovery} />
        <Tool name={text('address.change')} icon={<Pencil size={18} aria-hidden />} onClick={onChange} />
        <Tool name={text('address.delete')} icon={<Trash2 size={18} aria-hidden />} onClick={() => setAsking(true)} />
      </div>
      {asking ? (
        <div className={css.ask} role="alertdialog" aria-label={text('delete.title')}>
          <h2>{text('delete.title')}</h2>
          <p>{text('extension.deleteText', { address: held.address })}</p>
          <div className={css.actions}>
            <Button look="danger" disabled={action.busy} onClick={() => action.run(() => remove(held))}>
              {text('delete.confirm')}
            </Button>
            <Button onClick={() => setAsking(false)}>{text('delete.cancel')}</Button>
          </div>
        </div>
      ) : null}
      <p role="status" className={css.note}>
        {action.problem || note}
      </p>
    </section>
  )
}

function Tool({ name, icon, ...rest }: { name: string; icon: ReactNode; disabled?: boolean; onClick: () => void }) {
  return (
    <Button look="quiet" icon={icon} {...rest}>
      {name}
    </Button>
  )
}
