import { useEffect, useState } from 'react'
import type { PagePayload, PremiumData } from '#contract/pages.ts'
import { pathIn } from '#locales/languages.ts'
import { fetchJson } from '../../api/api.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Link } from '../../components/link.tsx'
import { Prose } from '../../components/prose.tsx'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { payloadPath } from '../../navigation/paths.ts'
import { benefitsOf } from './benefits.ts'
import { PlanForm } from './plan-form.tsx'
import css from './premium-dialog.module.css'

const FORM = 'plans'

/** The plans and what they include, in a dialog. If they cannot be loaded, the Premium page is opened instead. */
export function PremiumDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const { code } = useLanguage()
  const [data, setData] = useState<PremiumData | null>(null)
  const [busy, setBusy] = useState(false)
  const page = pathIn(code, '/premium')
  const { payload: below, go } = usePage()
  useEffect(() => {
    let open = true
    fetchJson(payloadPath(page))
      .then((loaded) => {
        const payload = loaded as PagePayload
        if (open && payload.page === 'premium') setData(payload.data)
      })
      .catch(() => {
        // Without a connection, the navigation keeps the page below and says so.
        if (!open) return
        onClose()
        go(page)
      })
    return () => {
      open = false
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the page below is reloaded if the session changed
  }, [page, below])
  const actions =
    data && data.plans.sold.length > 0 ? (
      <Button className={css.buy} type="submit" look="main" form={FORM} disabled={busy}>
        {text('premium.buy')}
      </Button>
    ) : null
  return (
    <Dialog
      title={text('header.premium')}
      close={text('premium.close')}
      className={css.dialog ?? ''}
      onClose={onClose}
      actions={actions}
    >
      {data ? (
        <div className={css.columns}>
          <PlanForm plans={data.plans} account={data.account} formId={FORM} onBusy={setBusy} />
          <div className={css.benefits}>
            <Prose html={benefitsOf(data.text.html)} />
            <Link href={page} onClick={onClose}>
              {text('premium.more')}
            </Link>
          </div>
        </div>
      ) : (
        <div className={css.loading} aria-busy />
      )}
    </Dialog>
  )
}
