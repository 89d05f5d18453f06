import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import type { PrivateAddressJson } from '#contract/pages.ts'
import { Button } from '../../components/button.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { Field } from '../../components/field.tsx'
import { useText } from '../../i18n/text.tsx'
import type { PrivateKeys } from '../../private/keys.ts'
import { keysIn } from '../../private/phrase.ts'
import { KeysUnsupported, useCanMakeKeys } from './can-make-keys.tsx'
import fields from '../../components/field.module.css'
import css from './private.module.css'

interface Props {
  address: Pick<PrivateAddressJson, 'id' | 'address'>
  onUnlock: (keys: PrivateKeys) => Promise<void>
}

/** Shown if this device lacks the key. The phrase or the recovery file restores it. Neither leaves the browser. */
export function Locked({ address: { id, address }, onUnlock }: Props) {
  const text = useText()
  const can = useCanMakeKeys()
  const phrase = useRef<HTMLTextAreaElement>(null)
  const [wrong, setWrong] = useState(false)
  const [busy, setBusy] = useState(false)

  async function unlock(words: string): Promise<void> {
    setBusy(true)
    const keys = await keysIn(words, id).finally(() => setBusy(false))
    setWrong(!keys)
    if (keys) await onUnlock(keys)
    else phrase.current?.focus()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    void unlock(phrase.current?.value ?? '')
  }

  async function choose({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? []
    if (file) await unlock(await file.text())
    target.value = ''
  }

  return (
    <section className={fields.column} aria-labelledby="locked-title">
      <div className={fields.head}>
        <h1 id="locked-title">{text('private.locked')}</h1>
        <p className={css.name}>
          <EmailAddress>{address}</EmailAddress>
        </p>
        <p className={fields.intro}>{text('private.lockedText')}</p>
      </div>
      <KeysUnsupported can={can} />
      <form className={fields.form} onSubmit={submit}>
        <Field label={text('private.phrase')} problem={wrong ? text('private.wrong') : undefined}>
          {(control) => (
            // Without a name, so that the page does not keep the input. Spell checkers may send text to a service.
            <textarea
              ref={phrase}
              dir="ltr"
              lang="en"
              translate="no"
              rows={4}
              required
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              {...control}
            />
          )}
        </Field>
        <Field label={text('private.choose')}>
          {(control) => (
            <input
              type="file"
              accept=".txt,text/plain"
              disabled={busy || can !== true}
              onChange={(event) => void choose(event)}
              {...control}
            />
          )}
        </Field>
        <div className={fields.actions}>
          <Button type="submit" look="main" disabled={busy || can !== true}>
            {text('private.unlock')}
          </Button>
        </div>
      </form>
    </section>
  )
}
