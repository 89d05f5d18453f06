import { useEffect, useState } from 'react'
import type { PrivateData } from '#contract/pages.ts'
import { pathIn } from '#locales/languages.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { KeptForm } from '../../components/kept-form.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { createUnsaved, findUnsaved, forgetUnsaved, type Unsaved } from '../../private/unsaved.ts'
import { isNameProblem, NameFields } from '../change/name-fields.tsx'
import { KeysUnsupported, useCanMakeKeys } from './can-make-keys.tsx'
import { Recovery } from './recovery.tsx'
import { useStay } from './use-stay.ts'
import fields from '../../components/field.module.css'
import css from './private.module.css'

const WORDS = { label_invalid: 'account.label.invalid', premium_required: 'account.state.ended' } as const

/** Creates an address: the key in the browser, the name on the server. It is usable once the phrase was saved. */
export function Create({ domains, own }: Pick<PrivateData, 'domains' | 'own'>) {
  const text = useText()
  const { code } = useLanguage()
  const { go } = usePage()
  const can = useCanMakeKeys()
  const { busy, problem, attempt } = useAttempt()
  const [unsaved, setUnsaved] = useState<Unsaved>()
  useStay(busy)
  // A page that was left may have created an address whose phrase was never shown. If that can't be found out, the next
  // press does.
  useEffect(
    () =>
      void findUnsaved().then(
        (found) => setUnsaved((now) => now ?? found),
        () => {},
      ),
    [],
  )

  async function make(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form)
    const filled = (name: string): string | undefined => String(data.get(name) ?? '').trim() || undefined
    const [login, domain, label] = ['login', 'domain', 'label'].map(filled)
    await attempt(async () =>
      setUnsaved(
        await createUnsaved({
          ...(login === undefined ? {} : { login }),
          ...(domain === undefined ? {} : { domain }),
          ...(label === undefined ? {} : { label }),
        }),
      ),
    )
  }

  function open(id: string): void {
    forgetUnsaved()
    void go(pathIn(code, `/private?address=${id}`), { replace: true })
  }

  if (unsaved) return <Recovery {...unsaved} onSaved={() => open(unsaved.id)} />
  return (
    <section className={fields.column} aria-labelledby="private-title">
      <div className={fields.head}>
        <h1 id="private-title">{text('private.title')}</h1>
        <p className={fields.intro}>{text('private.intro')}</p>
      </div>
      <KeysUnsupported can={can} />
      <KeptForm name="private-address" className={`needs-script ${fields.form}`} onSend={make}>
        <NameFields optional problem={problem} domains={domains} own={own} premium />
        <Field label={text('account.addresses.label')} optional>
          {(control) => <input name="label" dir="auto" autoComplete="off" {...control} />}
        </Field>
        <ProblemLine problem={isNameProblem(problem) ? null : problem} words={WORDS} />
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
