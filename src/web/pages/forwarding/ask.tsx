import { type FormEvent, useRef } from 'react'
import type { ForwardingJson, ForwardingsJson } from '#contract/forwarding.ts'
import type { ForwardingData } from '#contract/pages.ts'
import { EMAIL_MAX_LENGTH } from '#core/operating/support.ts'
import type { PageProblem } from '../../api/api.ts'
import { forwardingApi } from '../../api/forwarding-api.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { HiddenFields } from '../../components/hidden-fields.tsx'
import { ProblemLine, problemText } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import css from './forwarding.module.css'

/** Problems of the input, shown at the field. */
const INPUT_PROBLEMS: ReadonlySet<PageProblem['code'] | undefined> = new Set([
  'email_invalid',
  'destination_invalid',
  'forwarding_exists',
])

/** How long forwarding continues and how many destinations are possible. */
const TERMS = {
  day: 'forwarding.terms.days',
  operator: 'forwarding.terms.days',
  subscription: 'forwarding.terms.subscription',
  'ten-minutes': 'forwarding.terms.tenMinutes',
} as const

interface Props {
  list: ForwardingsJson
  data: ForwardingData
  first: PageProblem | null
  onAdded: (forwarding: ForwardingJson) => Promise<void>
}

/** The form for a new destination. The destination must consent by a link before messages are forwarded. */
export function Ask({ list: { days, max }, data, first, onAdded }: Props) {
  const text = useText()
  const { code } = useLanguage()
  const form = useRef<HTMLFormElement>(null)
  const { busy, problem, attempt } = useAttempt(first)
  const atField = INPUT_PROBLEMS.has(problem?.code)

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const destination = String(new FormData(event.currentTarget).get('destination'))
    void attempt(async () => {
      const forwarding = await forwardingApi.ask(destination, code)
      form.current?.reset()
      await onAdded(forwarding)
    })
  }

  return (
    <form ref={form} method="post" action="/actions/forward" className={css.card} onSubmit={submit}>
      <HiddenFields shown={data.address ?? ''} />
      <div className={css.ask}>
        <Field
          className={css.field}
          label={text('forwarding.destination')}
          hint={text('forwarding.hint')}
          problem={atField && problem ? problemText(problem, text) : undefined}
        >
          {(control) => (
            <input
              name="destination"
              type="email"
              dir="ltr"
              required
              maxLength={EMAIL_MAX_LENGTH}
              autoComplete="email"
              placeholder={text('form.emailPrompt')}
              defaultValue={data.draft?.destination}
              {...control}
            />
          )}
        </Field>
        <Button type="submit" look="main" disabled={busy}>
          {text('forwarding.ask')}
        </Button>
      </div>
      <ProblemLine problem={atField ? null : problem} />
      <p className={css.terms}>{text(TERMS[data.lifetime ?? 'day'], { days, max })}</p>
    </form>
  )
}
