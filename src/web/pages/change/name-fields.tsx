import type { DomainListJson } from '#contract/domains.ts'
import { Field } from '../../components/field.tsx'
import { useText } from '../../i18n/text.tsx'

interface Props {
  domains: DomainListJson['domains']
  /** Domains that the visitor brought. */
  own: readonly string[]
  /** Whether the visitor may choose all of them. */
  premium: boolean
}

/** The domains of the select: where there are others than free ones, each kind is a group; what needs Premium can't be chosen without it. */
function DomainOptions({ domains, own, premium }: Props) {
  const text = useText()
  const names = (tier: Props['domains'][number]['tier']) =>
    domains.filter((domain) => domain.tier === tier).map(({ name }) => name)
  const groups = [
    { label: text('change.domain.own'), names: own, open: premium },
    { label: text('change.domain.premium'), names: names('premium'), open: premium },
    { label: text('change.domain.free'), names: names('free'), open: true },
  ].filter((group) => group.names.length > 0)
  // Without Premium the free ones come first: one of them is what is chosen.
  if (!premium) groups.reverse()
  const shown = groups.map(({ label, names: all, open }) => ({
    label,
    options: all.map((name) => (
      <option key={name} value={name} disabled={!open}>
        @{name}
      </option>
    )),
  }))
  if (shown.length === 1) return shown[0]?.options
  return shown.map(({ label, options }) => (
    <optgroup key={label} label={label}>
      {options}
    </optgroup>
  ))
}

/** Where somebody says what an address shall be called: the login, and the domain. `optional`: without a login it is a random one. */
export function NameFields({ optional = false, ...domains }: Props & { optional?: boolean }) {
  const text = useText()
  return (
    <>
      <Field label={text('change.login')} optional={optional} hint={text('change.hint')}>
        {(control) => (
          <input
            name="login"
            dir="ltr"
            maxLength={64}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={text('change.loginPrompt')}
            {...control}
          />
        )}
      </Field>
      <Field label={text('change.domain')}>
        {(control) => (
          <select name="domain" dir="ltr" {...control}>
            <DomainOptions {...domains} />
          </select>
        )}
      </Field>
    </>
  )
}
