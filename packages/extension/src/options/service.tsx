import { type SubmitEvent, useState } from 'react'
import { Button } from '../../../../src/web/components/button.tsx'
import { Field } from '../../../../src/web/components/field.tsx'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { loadDomains } from '../state/domains.ts'
import { changeState, type Settings } from '../state/state.ts'
import css from './options.module.css'

/** Chooses the Mayfly service. Addresses of other services stay in the list. */
export function Service({ settings: { service } }: { settings: Settings }) {
  const text = useText()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)

  async function save(value: string): Promise<void> {
    setBusy(true)
    const url = URL.parse(/^https?:\/\//.test(value) ? value : `https://${value}`)
    try {
      if (!url) throw new Error('Not a URL')
      await loadDomains(url.origin)
      setProblem('')
      await changeState((state) => {
        state.settings.service = url.origin
        state.settings.domain = ''
      })
    } catch {
      setProblem(text('extension.serviceFailed'))
    } finally {
      setBusy(false)
    }
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    void save(String(new FormData(event.currentTarget).get('service')).trim())
  }

  return (
    <form className={css.part} onSubmit={submit}>
      <Field label={text('extension.service')} hint={text('extension.serviceHint')} problem={problem || undefined}>
        {(control) => <input name="service" required dir="ltr" defaultValue={service} inputMode="url" {...control} />}
      </Field>
      <Button type="submit" disabled={busy}>
        {text('extension.serviceSave')}
      </Button>
    </form>
  )
}
