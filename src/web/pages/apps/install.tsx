import { BookmarkPlus, Check, EllipsisVertical, MonitorDown, Share, SquarePlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { hasInstallOffer, takeInstallOffer } from '../../document/install-offer.ts'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import { useText } from '../../i18n/text.tsx'
import { type Step, STEPS, systemOf } from './systems.ts'
import css from './apps.module.css'

const PICTURES = {
  share: Share,
  add: SquarePlus,
  menu: EllipsisVertical,
  install: MonitorDown,
  confirm: Check,
  bookmark: BookmarkPlus,
} as const satisfies Record<Step[0], unknown>

/** The steps of the visitor's own browser, with a button if the page may open its install dialog. */
export function Install() {
  const text = useText()
  const hydrated = useHydrated()
  const [offered, setOffered] = useState(false)
  useEffect(() => {
    const look = (): void => setOffered(hasInstallOffer())
    look()
    addEventListener('beforeinstallprompt', look)
    return () => removeEventListener('beforeinstallprompt', look)
  }, [])
  const installed = hydrated && matchMedia('(display-mode: standalone)').matches
  const steps = hydrated ? STEPS[systemOf(navigator.userAgent, navigator.maxTouchPoints)] : []
  return (
    <section id="install" className={`${css.install} needs-script`} aria-labelledby="install-title">
      <h2 id="install-title">{text('apps.title')}</h2>
      {installed ? (
        <p>{text('apps.installed')}</p>
      ) : (
        <>
          {offered ? (
            <Button
              look="main"
              onClick={() => {
                void takeInstallOffer()?.prompt()
                setOffered(false)
              }}
            >
              {text('apps.install')}
            </Button>
          ) : null}
          <ol className={css.steps}>
            {steps.map(([picture, words]) => {
              const Picture = PICTURES[picture]
              return (
                <li key={words}>
                  <span className={css.step}>
                    <Picture size={28} aria-hidden />
                  </span>
                  {text(words)}
                </li>
              )
            })}
          </ol>
        </>
      )}
    </section>
  )
}
