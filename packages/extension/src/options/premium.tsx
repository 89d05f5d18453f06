import { useEffect, useState } from 'react'
import { Button } from '../../../../src/web/components/button.tsx'
import { Field } from '../../../../src/web/components/field.tsx'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { startConnecting } from '../background/connect.ts'
import { accountOf, disconnect } from '../state/account.ts'
import { chosenDomain, usableDomains } from '../state/domains.ts'
import { changeState, readState, type State } from '../state/state.ts'
import { useAction } from '../ui/use-action.ts'
import { Check } from './check.tsx'
import css from './options.module.css'

/** Connects the extension with a subscription, and shows the settings for subscribers. */
export function Premium({ state }: { state: State }) {
  const text = useText()
  const { settings } = state
  const account = accountOf(state)
  const { busy, problem, run } = useAction()

  return (
    <section className={css.part}>
      <h2>{text('header.premium')}</h2>
      {account ? (
        <>
          <p>{text('extension.connected', { email: account.email })}</p>
          <Check
            label={text('extension.perSite')}
            hint={text('extension.perSiteHint')}
            checked={settings.perSite}
            onChange={(on) => void changeState((now) => void (now.settings.perSite = on))}
          />
          <DomainChoice key={settings.service} state={state} />
          <div className={css.actions}>
            <Button onClick={() => void startConnecting(settings)}>{text('extension.kept')}</Button>
            <Button disabled={busy} onClick={() => run(disconnect)}>
              {text('extension.disconnect')}
            </Button>
          </div>
          {problem ? <p role="alert">{problem}</p> : null}
        </>
      ) : (
        <>
          {state.account ? (
            // The account of another service, which was chosen before.
            <>
              <p>
                {text('extension.connected', {
                  email: `${state.account.email} (${new URL(state.account.service).host})`,
                })}
              </p>
              <Button disabled={busy} onClick={() => run(disconnect)}>
                {text('extension.disconnect')}
              </Button>
              {problem ? <p role="alert">{problem}</p> : null}
            </>
          ) : null}
          <p>{text('extension.premiumWhy')}</p>
          <p>{text('extension.premiumText')}</p>
          <Button look="main" onClick={() => void startConnecting(settings)}>
            {text('extension.connect')}
          </Button>
        </>
      )}
    </section>
  )
}

/** The domain of new addresses: one of the service, or an own domain of the subscriber. */
function DomainChoice({ state }: { state: State }) {
  const text = useText()
  const { domain } = state.settings
  const [domains, setDomains] = useState<string[]>(domain === '' ? [] : [domain])
  useEffect(() => {
    // Without a connection the chosen domain stays.
    void readState()
      .then(usableDomains)
      .then(setDomains, () => {})
  }, [])
  return (
    <Field label={text('extension.domain')}>
      {(control) => (
        <select
          {...control}
          dir="ltr"
          value={chosenDomain(domain, domains)}
          onChange={({ target: { value } }) => void changeState((now) => void (now.settings.domain = value))}
        >
          {domains.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </Field>
  )
}
