import { usePayload } from '../../app/page.tsx'
import { ArticleList } from '../../components/article-list.tsx'
import { Prose } from '../../components/prose.tsx'
import css from './articles.module.css'

/** The list of all articles. */
export function Articles() {
  const { text, articles } = usePayload('articles').data
  return (
    <section className={css.articles} aria-labelledby="articles-title">
      <h1 id="articles-title">{text.title}</h1>
      <Prose html={text.html} />
      <ArticleList articles={articles} heading="h2" />
    </section>
  )
}
