import { usePayload } from '../../app/page.tsx'
import { Prose } from '../../components/prose.tsx'
import { useText } from '../../i18n/text.tsx'
import { Extension } from './extension.tsx'
import { Install } from './install.tsx'
import page from '../../components/page.module.css'
import css from './apps.module.css'

/** How to install the site: first in the visitor's own browser, with pictures, then in all others. */
export function Apps() {
  const text = useText()
  const { text: own } = usePayload('apps').data
  return (
    <article className={page.page}>
      <h1>{own.title}</h1>
      <div className={css.first}>
        <Install />
        <picture className={css.picture}>
          <source media="(width < 700px)" srcSet="/screenshot-narrow.png" width={720} height={1440} />
          <img src="/screenshot-wide.png" width={1280} height={800} alt={text('apps.picture')} loading="lazy" />
        </picture>
      </div>
      <Extension />
      <Prose split html={own.html} />
    </article>
  )
}
