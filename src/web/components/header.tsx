import { Menu } from 'lucide-react'
import { useState } from 'react'
import { pathIn } from '#locales/languages.ts'
import { usePage } from '../app/page.tsx'
import { closePopovers } from '../hooks/popovers.ts'
import { useLanguage, useText } from '../i18n/text.tsx'
import { LanguageOffer, LanguageSwitch } from './language-switch.tsx'
import { lazyComponent } from './lazy.tsx'
import { isPlain, Link } from './link.tsx'
import { Logo } from './logo.tsx'
import css from './header.module.css'

const PremiumDialog = lazyComponent(async () => (await import('../pages/premium/premium-dialog.tsx')).PremiumDialog)

/** Site name, navigation and language menu. On narrow screens the navigation is behind a button. */
export function Header() {
  const text = useText()
  const { code } = useLanguage()
  const { site, page } = usePage().payload
  const [premium, setPremium] = useState(false)
  const { appStore, mobileStore, tempNumber } = site.links
  return (
    <header className={css.header}>
      <Link className={css.brand} href={pathIn(code, '/')}>
        <Logo size={34} />
        <span>{text('site.name')}</span>
      </Link>
      <nav id="menu" popover="auto" className={css.menu} aria-label={text('site.menu')}>
        <Way href={appStore} own="/apps#extension" words={text('header.appStore')} />
        <Way href={mobileStore} own="/apps#install" words={text('header.mobileStore')} />
        <Way href={tempNumber} own="/articleDetail?slug=temporary-phone-numbers" words={text('header.tempNumber')} />
        <button type="button" className={css.item} popoverTarget="popular">
          {text('header.articles')}
        </button>
        {site.account ? (
          <Link className={`${css.item} ${css.premium}`} href={pathIn(code, '/account')}>
            {text('header.account')}
          </Link>
        ) : (
          <a
            className={`${css.item} ${css.premium}`}
            href={pathIn(code, '/premium')}
            onClick={(event) => {
              if (!isPlain(event) || page === 'premium') return
              event.preventDefault()
              closePopovers()
              setPremium(true)
            }}
          >
            {text('header.premium')}
          </a>
        )}
      </nav>
      <LanguageSwitch />
      <button type="button" className={`${css.item} ${css.opener}`} popoverTarget="menu" aria-label={text('site.menu')}>
        <Menu size={20} aria-hidden />
      </button>
      <LanguageOffer />
      <Popular />
      {premium ? <PremiumDialog onClose={() => setPremium(false)} /> : null}
    </header>
  )
}

function Way({ href, own, words }: { href: string | null; own: string; words: string }) {
  const { code } = useLanguage()
  if (href === null) {
    return (
      <Link className={css.item} href={pathIn(code, own)}>
        {words}
      </Link>
    )
  }
  return (
    <a className={css.item} href={href} rel="noopener">
      {words}
    </a>
  )
}

/** The most requested articles. */
function Popular() {
  const text = useText()
  const { code } = useLanguage()
  const { popular } = usePage().payload.site
  return (
    <nav id="popular" popover="auto" className={css.panel} aria-label={text('header.popular')}>
      {/* No heading, because the first one of a page is its own. */}
      <p className={css.caption}>{text('header.popular')}</p>
      <ul className={css.popular}>
        {popular.map(({ slug, title }) => (
          <li key={slug}>
            <Link href={pathIn(code, `/articleDetail?slug=${slug}`)}>{title}</Link>
          </li>
        ))}
        <li>
          <Link href={pathIn(code, '/articles')}>{text('header.allArticles')}</Link>
        </li>
      </ul>
    </nav>
  )
}
