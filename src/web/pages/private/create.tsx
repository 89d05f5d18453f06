import { useRef, useState } from 'react'
import type { PrivateData } from '#contract/pages.ts'
import { pathIn } from '#locales/languages.ts'
import { problemOf } from '../../api/api.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { KeptForm } from '../../components/kept-form.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { keyStore } from '../../private/key-store.ts'
import { deriveKeys, newSecret } from '../../private/keys.ts'
import { phraseOf } from '../../private/phrase.ts'
import { privateApi, toBase64Url } from '../../private/private-api.ts'
import { NameFields } from '../change/name-fields.tsx'
import { Recovery } from './recovery.tsx'
import { useCanMakeKeys } from './use-can-make-keys.ts'
import fields from '../../components/field.module.css'
import css from './private.module.css'

const WORDS = { label_invalid: 'account.label.invalid', premium_required: 'account.state.ended' } as const

interface Made {
  id: string
  address: string
  phrase: string
  /** Whether this browser has the key. */
  kept: boolean
}

/** Creates an address: the key in the browser, the name on the server. It is usable once the phrase was saved. */
export function Create({ domains, own }: Pick<PrivateData, 'domains' | 'own'>) {
  const text = useText()
  const { code } = useLanguage()
  const { go } = usePage()
  const can = useCanMakeKeys()
  const { busy, problem, attempt } = useAttempt()
  const [made, setMade] = useState<Made | null>(null)
  /**
   * The same at each try for the same input: if the response to the first one was lost, the next one gets the address that it
   * created.
   */
  const tried = useRef<{ wish: string; secret: ReturnType<typeof newSecret> }>(undefined)

  async function make(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form)
    const filled = (name: string): string | undefined => String(data.get(name) ?? '').trim() || undefined
    const [login, domain, label] = ['login', 'domain', 'label'].map(filled)
    await attempt(async () => {
      const wanted = {
        ...(login === undefined ? {} : { login }),
        ...(domain === undefined ? {} : { domain }),
        ...(label === undefined ? {} : { label }),
      }
      const wish = JSON.stringify(wanted)
      if (tried.current?.wish !== wish) tried.current = { wish, secret: newSecret() }
      const { secret } = tried.current
      const { id, keys } = await deriveKeys(secret)
      const { address } = await privateApi
        .create({ id, publicKey: toBase64Url(keys.publicKey), ...wanted })
        .catch((error: unknown) => {
          // These keys may have a name that the page doesn't know of.
          if (problemOf(error).code === 'address_taken') tried.current = undefined
          throw error
        })
      const kept = await keyStore.keep(id, keys).then(
        () => true,
        () => false,
      )
      setMade({ id, address, phrase: phraseOf(secret), kept })
    })
  }

  if (made) {
    const { id, ...rest } = made
    return <Recovery {...rest} onSaved={() => go(pathIn(code, `/private?address=${id}`), { replace: true })} />
  }
  return (
    <section className={fields.column} aria-labelledby="private-title">
      <div className={fields.head}>
        <h1 id="private-title">{text('private.title')}</h1>
        <p className={fields.intro}>{text('private.intro')}</p>
      </div>
      {can === false ? (
        <p className={css.warning} role="alert">
          {text('private.unsupported')}
        </p>
      ) : null}
      <KeptForm name="private-address" className={`needs-script ${fields.form}`} onSend={make}>
        <NameFields optional domains={domains} own={own} premium />
        <Field label={text('account.addresses.label')} optional>
          {(control) => <input name="label" dir="auto" autoComplete="off" {...control} />}
        </Field>
        <ProblemLine problem={problem} words={WORDS} />
        <div className={fields.actions}>
          <Button type="submit" look="main" disabled={busy || can !== true}>
            {text('private.create')}
          </Button>
        </div>
      </KeptForm>
      <p className={`without-script ${css.warning}`}>{text('private.needsScript')}</p>
    </section>
  )
}
