import type { DomainListJson } from '#contract/domains.ts'
import type { PageProblem } from '../../api/api.ts'
import { Field } from '../../components/field.tsx'
import { problemText } from '../../components/problem-line.tsx'
import { useText } from '../../i18n/text.tsx'

interface Props {
  domains: DomainListJson['domains']
  /** The subscriber's own domains. */
  own: readonly string[]
  /** Whether the visitor has Premium and may choose any domain. */
  premium: boolean
}

const NAME_PROBLEMS: ReadonlySet<string> = new Set(['login_invalid', 'login_reserved', 'address_taken'])

/** Whether a problem is shown at the name, because another one is needed. */
export const isNameProblem = (problem: PageProblem | null): problem is PageProblem =>
  problem !== null && NAME_PROBLEMS.has(problem.code)

/**
 * The options of the domain select, grouped by kind unless all are free. Premium domains are disabled for visitors
 * without Premium.
 */
function DomainOptions({ domains, own, premium }: Props) {
  const text = useText()
  const names = (tier: Props['domains'][number]['tier']) =>
    domains.filter((domain) => domain.tier === tier).map(({ name }) => name)
  const groups = [
    { label: text('change.domain.own'), names: own, open: premium },
    { label: text('change.domain.premium'), names: names('premium'), open: premium },
    { label: text('change.domain.free'), names: names('free'), open: true },
  ].filter((group) => group.names.length > 0)
  // Without Premium the free domains come first, so that one of them is preselected.
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

/** The fields for login and domain. `optional`: an empty login means a random one. `login`: the suggested one. */
export function NameFields({
  optional = false,
  login = '',
  problem,
  ...domains
}: Props & { optional?: boolean; login?: string; problem: PageProblem | null }) {
  const text = useText()
  return (
    <>
      <Field
        label={text('change.login')}
        optional={optional}
        hint={text('change.hint')}
        problem={isNameProblem(problem) ? problemText(problem, text) : undefined}
      >
        {(control) => (
          <input
            name="login"
            defaultValue={login}
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
