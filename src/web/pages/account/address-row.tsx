import { useEffect, useId, useRef, useState } from 'react'
import type { KeptAddressJson } from '#contract/kept-addresses.ts'
import { pathIn } from '#locales/languages.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { KeptForm } from '../../components/kept-form.tsx'
import { Link } from '../../components/link.tsx'
import { isPressed } from '../../hooks/is-pressed.ts'
import { dayText } from '../../i18n/day.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { ActionButton } from '../forwarding/action-button.tsx'
import css from './account.module.css'

interface Props {
  address: KeptAddressJson
  busy: boolean
  onOpen: () => void
  onRename: (label: string | null) => Promise<boolean>
  onReplace: () => void
  onDelete: () => void
}

/** A kept address with its label, unread count and actions. */
export function AddressRow({ address, busy, onOpen, onRename, onReplace, onDelete }: Props) {
  const text = useText()
  const { code, format } = useLanguage()
  const [naming, setNaming] = useState(false)
  const nameId = useId()
  const row = useRef<HTMLLIElement>(null)
  // The field had the focus and is gone.
  const wasNaming = useRef(naming)
  useEffect(() => {
    if (wasNaming.current && !naming) row.current?.querySelector<HTMLElement>('[data-rename]')?.focus()
    wasNaming.current = naming
  }, [naming])
  const { id, address: name, label, unread, alive, expiresAt } = address

  async function save(form: HTMLFormElement): Promise<void> {
    const typed = String(new FormData(form).get('label')).trim()
    if (await onRename(typed === '' ? null : typed)) setNaming(false)
  }

  return (
    <li ref={row} className={css.row}>
      <span className={css.main}>
        {label === null ? null : (
          <strong>
            <bdi>{label}</bdi>
          </strong>
        )}
        <EmailAddress>{name}</EmailAddress>
        {address.private ? <span className={css.mark}>{text('account.addresses.private')}</span> : null}
        {unread > 0 ? <span className={css.unread}>{text('inbox.unread', { count: unread })}</span> : null}
        {alive ? null : <span className={css.mark}>{text('account.addresses.ended')}</span>}
        {alive && expiresAt !== null ? (
          <span className={css.mark}>{text('account.addresses.until', { date: dayText(expiresAt, format) })}</span>
        ) : null}
      </span>
      {naming ? (
        <KeptForm
          name={`label-${id}`}
          className={css.naming}
          onSend={save}
          onKeyDown={({ nativeEvent }) => isPressed('Escape', nativeEvent) && setNaming(false)}
        >
          <label htmlFor={nameId}>{text('account.addresses.label')}</label>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the visitor opened the field with a click */}
          <input id={nameId} name="label" defaultValue={label ?? ''} autoFocus autoComplete="off" />
          <Button type="submit" disabled={busy}>
            {text('change.save')}
          </Button>
          <Button look="quiet" onClick={() => setNaming(false)}>
            {text('delete.cancel')}
          </Button>
        </KeptForm>
      ) : (
        <span className={css.buttons}>
          {address.private ? (
            <Link className={buttonClass('plain')} href={pathIn(code, `/private?address=${id}`)}>
              {text('account.addresses.open')}
            </Link>
          ) : (
            <ActionButton act="open-kept" id={id} busy={busy || !alive} onAct={onOpen}>
              {text('account.addresses.open')}
            </ActionButton>
          )}
          <Button look="quiet" className="needs-script" data-rename onClick={() => setNaming(true)}>
            {text('account.addresses.rename')}
          </Button>
          {address.private || !alive ? null : (
            <ActionButton act="replace-kept-secret" id={id} look="quiet" busy={busy} onAct={onReplace}>
              {text('recovery.replace')}
            </ActionButton>
          )}
          <ActionButton act="delete-kept" id={id} look="quiet" busy={busy} onAct={onDelete}>
            {text('address.delete')}
          </ActionButton>
        </span>
      )}
    </li>
  )
}
