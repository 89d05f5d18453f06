import { useState } from 'react'
import { pathIn } from '#locales/languages.ts'
import { usePage } from '../app/page.tsx'
import { type MessageKey, useLanguage, useText } from '../i18n/text.tsx'
import { faqPath } from '../i18n/translated-path.ts'
import { Button } from './button.tsx'
import { lazyComponent } from './lazy.tsx'
import { Link } from './link.tsx'
import css from './layout.module.css'

const ColorsDialog = lazyComponent(async () => (await import('../parts/dialogs.ts')).ColorsDialog)

const WAYS: [MessageKey, string][] = [
  ['header.premium', '/premium'],
  ['footer.api', '/api'],
  ['header.articles', '/articles'],
  ['footer.tenMinutes', '/10-minute-mail'],
  ['footer.generator', '/email-generator'],
  ['footer.privacy', '/privacy'],
  ['footer.terms', '/terms'],
]

/** The footer links, and the notice that the service only receives email. */
export function Footer() {
  const text = useText()
  const { code } = useLanguage()
  const [colors, setColors] = useState(false)
  const { advertising } = usePage().payload.site.links
  const links: [MessageKey, string][] = [
    ...WAYS,
    ['footer.faq', faqPath(code)],
    ['footer.problem', '/problem'],
    ['footer.contact', '/contact'],
  ]
  return (
    <footer className={css.footer}>
      <nav aria-label={text('footer.pages')}>
        <ul className={css.links}>
          {links.map(([key, path]) => (
            <li key={key}>
              <Link href={pathIn(code, path)}>{text(key)}</Link>
            </li>
          ))}
          <li>
            {advertising === null ? (
              <Link href={pathIn(code, '/contact?reason=advertising')}>{text('footer.advertising')}</Link>
            ) : (
              <a href={advertising} rel="noopener">
                {text('footer.advertising')}
              </a>
            )}
          </li>
        </ul>
      </nav>
      <div className={css.last}>
        <p>{text('site.footer')}</p>
        <Button look="quiet" className="needs-script" onClick={() => setColors(true)}>
          {text('colors.title')}
        </Button>
        {colors ? <ColorsDialog onClose={() => setColors(false)} /> : null}
      </div>
    </footer>
  )
}
