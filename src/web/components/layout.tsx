import type { ReactNode } from 'react'
import { usePage } from '../app/page.tsx'
import { useText } from '../i18n/text.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { ProblemLine } from './problem-line.tsx'
import css from './layout.module.css'

/** Header, page, footer, and the operator's advertisements above and below the page. */
export function Layout({ children }: { children: ReactNode }) {
  const text = useText()
  const { payload, loading, offline } = usePage()
  return (
    <>
      <a className={css.skip} href="#main">
        {text(payload.page === 'home' ? 'site.skip' : 'site.skipToContent')}
      </a>
      <Header />
      <Advertisement place="top" />
      <main id="main" data-account={payload.site.account?.id} tabIndex={-1} aria-busy={loading}>
        {offline ? (
          <div className={css.offline}>
            <ProblemLine problem={{ code: 'offline' }} />
          </div>
        ) : null}
        {children}
      </main>
      <Advertisement place="bottom" />
      <Footer />
    </>
  )
}

/** An advertisement slot. An empty one takes no space; a filled one has a fixed height to avoid layout shifts. */
function Advertisement({ place }: { place: 'top' | 'bottom' }) {
  const text = useText()
  const height = usePage().payload.site.ads[place]
  if (height === 0) return null
  return (
    <aside className={css.ad} aria-label={text('site.ad')}>
      <iframe
        sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
        src={`/ads/${place}`}
        referrerPolicy="no-referrer"
        title={text('site.ad')}
        height={height}
        loading="lazy"
      />
    </aside>
  )
}
