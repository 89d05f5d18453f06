import type { DomainListJson } from '#contract/domains.ts'
import { useText } from '../../i18n/text.tsx'

interface Props {
  domains: DomainListJson['domains']
}

/** The domains of the select: where some need Premium, they stand in a group of their own and can't be chosen. */
export function DomainOptions({ domains }: Props) {
  const text = useText()
  const optionsOf = (tier: Props['domains'][number]['tier']) =>
    domains
      .filter((domain) => domain.tier === tier)
      .map(({ name }) => (
        <option key={name} value={name} disabled={tier === 'premium'}>
          @{name}
        </option>
      ))
  const premium = optionsOf('premium')
  if (premium.length === 0) return optionsOf('free')
  return (
    <>
      <optgroup label={text('change.domain.free')}>{optionsOf('free')}</optgroup>
      <optgroup label={text('change.domain.premium')}>{premium}</optgroup>
    </>
  )
}
