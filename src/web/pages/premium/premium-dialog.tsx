import { useEffect, useState } from 'react'
import type { PagePayload, PlansJson } from '#contract/pages.ts'
import { pathIn } from '#locales/languages.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Link } from '../../components/link.tsx'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { payloadPath } from '../../navigation/paths.ts'
import { PlanForm } from './plan-form.tsx'

/** The plans in a dialog. If they cannot be loaded, the Premium page is opened instead. */
export function PremiumDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const { code } = useLanguage()
  const [plans, setPlans] = useState<PlansJson | null>(null)
  const page = pathIn(code, '/premium')
  useEffect(() => {
    let open = true
    fetch(payloadPath(page))
      .then(async (response) => {
        if (!response.ok) throw new Error(`${page} answered ${response.status}`)
        return (await response.json()) as PagePayload
      })
      .then((payload) => {
        if (open && payload.page === 'premium') setPlans(payload.data.plans)
      })
      .catch(() => location.assign(page))
    return () => {
      open = false
    }
  }, [page])
  const actions = (
    <>
      <Link href={page} onClick={onClose}>
        {text('premium.more')}
      </Link>
      <Button onClick={onClose}>{text('premium.close')}</Button>
    </>
  )
  return (
    <Dialog title={text('header.premium')} onClose={onClose} actions={actions}>
      {plans ? <PlanForm plans={plans} /> : null}
    </Dialog>
  )
}
