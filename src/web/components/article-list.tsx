import type { ArticleLinkJson } from '#contract/content.ts'
import { pathIn } from '#locales/languages.ts'
import { useLanguage, useText } from '../i18n/text.tsx'
import { Link } from './link.tsx'
import css from './article-list.module.css'

/** Articles with their descriptions. The whole card is the link. */
export function ArticleList({ articles, heading: Heading }: { articles: ArticleLinkJson[]; heading: 'h2' | 'h3' }) {
  const text = useText()
  const { code } = useLanguage()
  return (
    <ul className={css.list}>
      {articles.map(({ slug, title, description, minutes }) => (
        <li key={slug}>
          <Heading>
            <Link href={pathIn(code, `/articleDetail?slug=${slug}`)}>{title}</Link>
          </Heading>
          <p>{description}</p>
          <p className={css.minutes}>{text('article.minutes', { minutes })}</p>
        </li>
      ))}
    </ul>
  )
}
