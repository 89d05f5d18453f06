import { useEffect, useState } from 'react'
import { api, type PageProblem, problemOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { pathIn } from '#locales/languages.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import css from './recovery-dialog.module.css'

/** The way to the same address on another device: a link with the secret in its fragment, which no server ever sees. */
export function RecoveryDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const { code } = useLanguage()
  const [link, setLink] = useState<{ url: string; svg: string } | null>(null)
  const [problem, setProblem] = useState<PageProblem | null>(null)

  useEffect(() => {
    async function make(): Promise<void> {
      const [{ secret }, { renderSVG }] = await Promise.all([api.reveal(), import('uqr')])
      const url = `${location.origin}${pathIn(code, '/')}#secret=${secret}`
      setLink({ url, svg: renderSVG(url, { border: 2 }) })
    }
    make().catch((error: unknown) => setProblem(problemOf(error)))
  }, [code])

  const actions = (
    <>
      <Button onClick={onClose}>{text('recovery.close')}</Button>
      {link ? <CopyButton value={link.url}>{text('recovery.copyLink')}</CopyButton> : null}
    </>
  )
  return (
    <Dialog title={text('recovery.title')} onClose={onClose} actions={actions}>
      <p>{text('recovery.text')}</p>
      {/* The SVG is made here, from a URL of this site. */}
      <div
        className={css.code}
        role="img"
        aria-label={text('recovery.qr')}
        dangerouslySetInnerHTML={{ __html: link?.svg ?? '' }}
      />
      <ProblemLine problem={problem} />
    </Dialog>
  )
}
