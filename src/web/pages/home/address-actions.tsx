import { Forward, Pencil, QrCode, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { pathIn } from '#locales/languages.ts'
import { usePage, usePayload } from '../../app/page.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { HiddenFields } from '../../components/hidden-fields.tsx'
import { AddressDialog } from '../../components/lazy-dialogs.ts'
import { lazyComponent } from '../../components/lazy.tsx'
import { Link } from '../../components/link.tsx'
import type { ShownAddress } from '../../hooks/inbox-state.ts'
import type { Inbox } from '../../hooks/use-inbox.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { forwardingOf } from './forwarding.ts'
import css from './hero.module.css'

// Loaded on demand because few visitors open them.
const RecoveryDialog = lazyComponent(async () => (await import('../../parts/dialogs.ts')).RecoveryDialog)

/**
 * Refresh, Change, QR code, Forward and Delete. All work without JavaScript, except that the QR code is then reduced to
 * a form that replaces the secret.
 */
export function AddressActions({ inbox, address }: { inbox: Inbox; address: ShownAddress }) {
  const text = useText()
  const { code } = useLanguage()
  const { path } = usePage().payload
  const { data } = usePayload('home')
  const forwarding = forwardingOf(data, address.address)
  const [open, setOpen] = useState<'delete' | 'recovery' | null>(null)
  const close = (): void => setOpen(null)
  return (
    <>
      <div className={css.actions}>
        <a
          className={buttonClass('quiet')}
          href={pathIn(code, path)}
          onClick={(event) => {
            event.preventDefault()
            void inbox.refresh()
          }}
        >
          <RefreshCw size={18} aria-hidden />
          <span>{text('address.refresh')}</span>
        </a>
        <Link className={buttonClass('quiet')} href={pathIn(code, '/change')}>
          <Pencil size={18} aria-hidden />
          <span>{text('address.change')}</span>
        </Link>
        <Button
          look="quiet"
          className="needs-script"
          icon={<QrCode size={18} aria-hidden />}
          onClick={() => setOpen('recovery')}
        >
          {text('address.qr')}
        </Button>
        {forwarding === 'none' ? null : (
          <Link className={buttonClass('quiet')} href={pathIn(code, '/forwarding')} data-forwarding={forwarding}>
            <Forward size={18} aria-hidden />
            <span>{text(`address.forward.${forwarding}`)}</span>
          </Link>
        )}
        <form method="post" action="/actions/delete">
          <HiddenFields path={path} shown={address.address} />
          <Button
            type="submit"
            look="quiet"
            icon={<Trash2 size={18} aria-hidden />}
            onClick={(event) => {
              event.preventDefault()
              setOpen('delete')
            }}
          >
            {text('address.delete')}
          </Button>
        </form>
      </div>
      {open === 'delete' ? (
        <AddressDialog address={address.address} action="delete" onClose={close} onConfirm={inbox.deleteAddress} />
      ) : null}
      {open === 'recovery' ? <RecoveryDialog onClose={close} /> : null}
      {data.newSecret === null ? null : (
        <details className={`without-script ${css.replace}`}>
          <summary className={buttonClass('quiet')}>{text('recovery.replace')}</summary>
          <form method="post" action="/actions/replace-secret">
            <HiddenFields path={path} shown={address.address} secret={data.newSecret} />
            <p>{text('recovery.replaceText')}</p>
            <Button type="submit" look="danger">
              {text('recovery.replace')}
            </Button>
          </form>
        </details>
      )}
    </>
  )
}
