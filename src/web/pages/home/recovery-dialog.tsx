import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { pathIn } from '#locales/languages.ts'
import { replaceSecret, revealSecret } from '../../api/secret-api.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { fileLoader } from '../../hooks/load-file.ts'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { keepPush } from '../../push/if-used.ts'
import css from './recovery-dialog.module.css'

const loadQr = fileLoader(() => import('uqr'))

/** The state of replacing the secret; `asked`: the visitor is asked to confirm. */
type Replacing = 'no' | 'asked' | 'busy' | 'done'

/**
 * Shows the recovery link as text and QR code. The secret is in the fragment, which browsers never send to a server.
 * Also offers to replace the secret, which invalidates all earlier links.
 */
export function RecoveryDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const { code } = useLanguage()
  const [replacing, setReplacing] = useState<Replacing>('no')

  const makeLink = useCallback(async () => {
    const [{ secret }, { renderSVG }] = await Promise.all([revealSecret(), loadQr()])
    const url = `${location.origin}${pathIn(code, '/')}#secret=${secret}`
    return { url, svg: renderSVG(url, { border: 2 }) }
  }, [code])
  const { loaded: link, setLoaded: setLink, problem } = useLoaded(makeLink)
  // Loading the link again must not hide why the secret was not replaced.
  const { problem: refused, attempt } = useAttempt()

  async function replace(): Promise<void> {
    setReplacing('busy')
    await attempt(async () => {
      // Loads the new one. Even if the response is lost, the old one may no longer open anything.
      await keepPush(replaceSecret).finally(() => setLink(null))
      setReplacing('done')
    })
    setReplacing((now) => (now === 'busy' ? 'asked' : now))
  }

  // A dialog begins at its first button, which here revokes the link.
  const close = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => close.current?.focus({ preventScroll: true }), [])

  const asks = replacing === 'asked' || replacing === 'busy'
  const actions = (
    <>
      <Button ref={close} onClick={onClose}>
        {text('recovery.close')}
      </Button>
      {link ? <CopyButton value={link.url}>{text('recovery.copyLink')}</CopyButton> : null}
    </>
  )
  return (
    <Dialog title={text('recovery.title')} onClose={onClose} actions={actions}>
      <p>{text('recovery.text')}</p>
      {/* The SVG is generated in the browser from a URL of this site. */}
      <div
        className={css.code}
        role="img"
        aria-label={text('recovery.qr')}
        dangerouslySetInnerHTML={{ __html: link?.svg ?? '' }}
      />
      <div className={css.replace}>
        <div role="status">
          {replacing === 'no' ? null : (
            <p>{text(replacing === 'done' ? 'recovery.replaced' : 'recovery.replaceText')}</p>
          )}
        </div>
        {/* One button in all states, so that it keeps the focus. */}
        <Button
          look={asks ? 'danger' : 'quiet'}
          disabled={replacing === 'busy'}
          onClick={() => (asks ? void replace() : setReplacing('asked'))}
        >
          {text('recovery.replace')}
        </Button>
      </div>
      <ProblemLine problem={refused ?? problem} />
    </Dialog>
  )
}
