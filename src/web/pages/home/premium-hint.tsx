import type { HomeData } from '#contract/pages.ts'
import { pathIn } from '#locales/languages.ts'
import { Link } from '../../components/link.tsx'
import { sizeText } from '../../i18n/size.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import type { Hint } from './hint.ts'
import css from './premium-hint.module.css'

interface Props {
  hint: Hint
  premium: NonNullable<HomeData['premium']>
}

/** One sentence on how Premium raises the limit that was just reached, with a link. */
export function PremiumHint({ hint, premium }: Props) {
  const text = useText()
  const { code, format } = useLanguage()
  const size = (bytes: number): string => sizeText(bytes, format.locale)
  const words = {
    storage: () => {
      const { usedBytes = 0, limitBytes = 0 } = hint.storage ?? {}
      return text('limit.storage', { used: size(usedBytes), limit: size(limitBytes), more: size(premium.storageBytes) })
    },
    ended: () => text('limit.ended'),
    addresses: () => text('limit.addresses', { count: premium.addresses }),
  }
  return (
    <p className={css.hint}>
      {words[hint.kind]()} <Link href={pathIn(code, '/premium')}>{text('limit.more')}</Link>
    </p>
  )
}
