import { type SubmitEvent, useEffect, useState } from 'react'
import { Button } from '../../../../src/web/components/button.tsx'
import { Field } from '../../../../src/web/components/field.tsx'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { createAddress } from '../state/addresses.ts'
import { usableDomains } from '../state/domains.ts'
import { readState } from '../state/state.ts'
import { useAction } from '../ui/use-action.ts'
import css from './popup.module.css'

/** Chooses the name and the domain of a new address. */
export function Change({ onBack, onMade }: { onBack: () => void; onMade: (address: string) => void }) {
  const text = useText()
  const { busy, problem, run } = useAction()
  const [domains, setDomains] = useState<string[]>([])
  const [first, setFirst] = useState('')
  useEffect(() => {
    run(async () => {
      const state = await readState()
      setFirst(state.settings.domain)
      setDomains(await usableDomains(state))
    })
  }, [run])

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const login = String(form.get('login')).trim().toLowerCase()
    run(async () => {
      const domain = String(form.get('domain') ?? '')
      const { address } = await createAddress({ ...(login === '' ? {} : { login }), domain })
      onMade(address)
      onBack()
    })
  }

  return (
    <form className={css.change} onSubmit={submit}>
      <h2>{text('change.title')}</h2>
      <Field label={text('change.login')} problem={problem || undefined}>
        {(control) => (
          <input
            name="login"
            placeholder={text('change.loginPrompt')}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={64}
            {...control}
          />
        )}
      </Field>
      <Field label={text('change.domain')}>
        {(control) => (
          <select key={domains.length} name="domain" defaultValue={first} {...control}>
            {domains.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Field>
      <div className={css.actions}>
        <Button look="main" type="submit" disabled={busy}>
          {text('change.save')}
        </Button>
        <Button onClick={onBack}>{text('change.back')}</Button>
      </div>
    </form>
  )
}
