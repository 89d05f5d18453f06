import { pathIn } from '#locales/languages.ts'
import { usePayload } from '../../app/page.tsx'
import { ArticleList } from '../../components/article-list.tsx'
import { Link } from '../../components/link.tsx'
import { Prose } from '../../components/prose.tsx'
import { dateFormat } from '../../i18n/dates.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import css from './article.module.css'

/** An article with breadcrumbs and links to other articles. */
export function Article() {
  const text = useText()
  const { code, format } = useLanguage()
  const { article, more } = usePayload('article').data
  const { format: dateOf } = dateFormat(format, { day: 'long', zone: 'UTC' })
  return (
    <>
      <article className={css.article}>
        <nav aria-label={text('site.here')} className={css.trail}>
          <ol>
            <li>
              <Link href={pathIn(code, '/')}>{text('site.home')}</Link>
            </li>
            <li>
              <Link href={pathIn(code, '/articles')}>{text('header.articles')}</Link>
            </li>
          </ol>
        </nav>
        <h1>{article.title}</h1>
        <p className={css.about}>
          <time dateTime={article.date}>{text('article.published', { date: dateOf(new Date(article.date)) })}</time>
          {article.updated > article.date ? (
            <time dateTime={article.updated}>
              {text('article.updated', { date: dateOf(new Date(article.updated)) })}
            </time>
          ) : null}
          <span>{text('article.minutes', { minutes: article.minutes })}</span>
        </p>
        <Prose split html={article.html} />
      </article>
      <aside className={css.more} aria-labelledby="more-title">
        <h2 id="more-title">{text('article.more')}</h2>
        <ArticleList articles={more} heading="h3" />
      </aside>
    </>
  )
}
