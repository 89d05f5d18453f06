import { usePayload } from '../../app/page.tsx'
import { Prose } from '../../components/prose.tsx'
import { PlanForm } from './plan-form.tsx'
import css from './premium.module.css'

/** The Premium page: benefits, prices and the order form. */
export function Premium() {
  const { text, account, plans } = usePayload('premium').data
  return (
    <article className={css.premium}>
      <h1>{text.title}</h1>
      <div className={css.plan}>
        <PlanForm plans={plans} account={account} />
      </div>
      <Prose html={text.html} />
    </article>
  )
}
