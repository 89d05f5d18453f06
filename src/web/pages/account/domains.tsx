import { useEffect, useState } from 'react'
import type { KeptAddressJson } from '#contract/kept-addresses.ts'
import type { OwnDomainJson } from '#contract/own-domains.ts'
import { accountApi } from '../../api/account-api.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { KeptForm } from '../../components/kept-form.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useText } from '../../i18n/text.tsx'
import { DomainProblem } from './domain-problem.tsx'
import { DomainRow } from './domain-row.tsx'
import { removed } from './removed.ts'
import { Section } from './section.tsx'
import css from './domains.module.css'

interface Props {
  domains: readonly OwnDomainJson[]
  /** The addresses of the subscription. One of them can be the catch-all of a domain. */
  addresses: readonly KeptAddressJson[]
  /** How many domains a subscriber may have. */
  max: number
  /** Whether the account has Premium. */
  active: boolean
}

/** The subscriber's own domains with the DNS records to create and their state. */
export function Domains({ domains: first, addresses, max, active }: Props) {
  const text = useText()
  const { refresh } = usePage()
  const [domains, setDomains] = useState(first)
  useEffect(() => setDomains(first), [first])

  const update = (changed: OwnDomainJson): void =>
    setDomains((all) => all.map((each) => (each.name === changed.name ? changed : each)))

  async function remove(name: string): Promise<void> {
    await removed(accountApi.removeDomain(name))
    setDomains((all) => all.filter((each) => each.name !== name))
    // The addresses of the domain were deleted with it.
    await refresh()
  }

  const full = domains.length >= max
  /** Whether this service lets subscribers add domains. Those from earlier can be used and removed. */
  const offered = max > 0
  const none = !(active && offered) && domains.length === 0
  return (
    <Section title={text('account.domains')}>
      {none ? <p className={css.intro}>{text('account.domains.none')}</p> : null}
      {/* Without Premium, this says what Premium would offer. */}
      {offered || (active && domains.length > 0) ? (
        <p className={css.intro}>{text(active ? 'account.domains.text' : 'change.upgradeText')}</p>
      ) : null}
      <ul className={css.domains}>
        {domains.map((domain) => (
          <DomainRow
            key={domain.name}
            domain={domain}
            addresses={addresses}
            active={active}
            onChange={update}
            onRemove={remove}
          />
        ))}
      </ul>
      {active && offered && full ? <p className={css.intro}>{text('account.domains.full')}</p> : null}
      {active && !full ? (
        <AddDomain onAdded={(added) => setDomains([...domains.filter(({ name }) => name !== added.name), added])} />
      ) : null}
    </Section>
  )
}

function AddDomain({ onAdded }: { onAdded: (domain: OwnDomainJson) => void }) {
  const text = useText()
  const { busy, problem, attempt } = useAttempt()

  function add(form: HTMLFormElement): Promise<boolean> {
    const name = String(new FormData(form).get('domain')).trim()
    return attempt(async () => {
      onAdded(await accountApi.addDomain(name))
      form.reset()
    })
  }

  return (
    <KeptForm name="own-domain" className={`${css.add} needs-script`} onSend={add}>
      <Field label={text('account.domains.add')} hint={text('account.domains.hint')}>
        {(control) => (
          <input
            name="domain"
            dir="ltr"
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="mail.example.com"
            {...control}
          />
        )}
      </Field>
      <DomainProblem problem={problem} />
      <Button type="submit" disabled={busy}>
        {text('account.domains.addOne')}
      </Button>
    </KeptForm>
  )
}
