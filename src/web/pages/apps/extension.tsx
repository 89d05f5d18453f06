import { Download, ExternalLink } from 'lucide-react'
import type { ExtensionBrowser } from '#core/extension-browser.ts'
import { usePayload } from '../../app/page.tsx'
import { buttonClass } from '../../components/button.tsx'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import { useText } from '../../i18n/text.tsx'
import css from './apps.module.css'

const WORDS = {
  chromium: ['apps.chromium', 'apps.chromiumHow'],
  firefox: ['apps.firefox', 'apps.firefoxHow'],
} as const

/** The browser extension: from the store if the operator named one, and the packages of this service. */
export function Extension() {
  const text = useText()
  const { data, site } = usePayload('apps')
  const hydrated = useHydrated()
  const { appStore } = site.links
  if (appStore === null && data.extension.length === 0) return null
  const own: ExtensionBrowser = hydrated && /Firefox\//.test(navigator.userAgent) ? 'firefox' : 'chromium'
  const ownFirst = data.extension.toSorted((a, b) => Number(b === own) - Number(a === own))
  return (
    <section id="extension" className={css.extension} aria-labelledby="extension-title">
      <h2 id="extension-title">{text('apps.extension')}</h2>
      <p>{text('apps.extensionText')}</p>
      {appStore === null ? null : (
        <p>
          <a className={buttonClass('main')} href={appStore} rel="noopener">
            <ExternalLink size={18} aria-hidden />
            <span>{text('apps.store')}</span>
          </a>
        </p>
      )}
      {ownFirst.map((browser, i) => {
        const [label, how] = WORDS[browser]
        const isMain = appStore === null && i === 0
        return (
          <div key={browser}>
            <a className={buttonClass(isMain ? 'main' : 'plain')} href={`/apps/mayfly-${browser}.zip`} download>
              <Download size={18} aria-hidden />
              <span>{text(label)}</span>
            </a>
            <p>{text(how)}</p>
          </div>
        )
      })}
    </section>
  )
}
