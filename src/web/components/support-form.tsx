import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Draft } from '#contract/pages.ts'
import type { SupportRequestJson } from '#contract/support.ts'
import type { SupportKind } from '#core/operating/support.ts'
import { pathIn } from '#locales/languages.ts'
import { call, type PageProblem, problemOf } from '../api/api.ts'
import { usePage } from '../app/page.tsx'
import { useProblem } from '../hooks/use-attempt.ts'
import { type MessageKey, type Text, useLanguage, useText } from '../i18n/text.tsx'
import { Button } from './button.tsx'
import { Link } from './link.tsx'
import { problemText } from './problem-line.tsx'
import fields from './field.module.css'
import problemCss from './problem-line.module.css'

type FieldName = keyof Draft
/** The form field of a problem that the visitor can correct. */
const FIELD_OF: Partial<Record<PageProblem['code'], FieldName>> = {
  name_invalid: 'name',
  reason_invalid: 'reason',
  email_invalid: 'email',
  message_invalid: 'message',
  message_too_long: 'message',
  payload_too_large: 'message',
}
const WORDS: Partial<Record<PageProblem['code'], MessageKey>> = {
  mailbox_full: 'problem.mailbox_full',
  disk_full: 'problem.unavailable',
  store_unavailable: 'problem.unavailable',
  unavailable: 'problem.unavailable',
  offline: 'form.offline',
}

function wordsFor(problem: PageProblem, text: Text): string {
  if (problem.code === 'payload_too_large') return text('problem.message_too_long')
  if (FIELD_OF[problem.code]) return text(`problem.${problem.code}` as MessageKey)
  const words = WORDS[problem.code]
  return words ? text(words) : problemText(problem, text)
}

const requestOf = (kind: SupportKind, lang: string, form: HTMLFormElement): SupportRequestJson => ({
  ...(Object.fromEntries(new FormData(form)) as Record<string, string>),
  kind,
  lang,
})

interface Props {
  kind: SupportKind
  /** Label of the submit button, and the confirmation that replaces the form after it was sent. */
  action: string
  sent: { title: string; text: string }
  className?: string | undefined
  /**
   * The fields. `problemAt` returns the problem of a field; `draft` has the values that were posted without
   * JavaScript.
   */
  children: (form: { problemAt: (name: FieldName) => string | undefined; draft: Draft }) => ReactNode
}

/** A form to the operator. The input is kept until the server has accepted it, with and without JavaScript. */
export function SupportForm({ kind, action, sent, className = '', children }: Props) {
  const text = useText()
  const { code } = useLanguage()
  const { payload } = usePage()
  const own = payload.page === kind ? payload : undefined
  const draft = own?.data.draft
  const [state, setState] = useState<'open' | 'busy' | 'sent'>(own?.data.sent ? 'sent' : 'open')
  const { problem, setProblem } = useProblem(own?.problem)
  const form = useRef<HTMLFormElement>(null)
  const confirmation = useRef<HTMLDivElement>(null)
  const submitted = useRef(false)
  const field = problem && FIELD_OF[problem.code]
  // A new visit shows an empty form again. A change of language is the same visit.
  const [seen, setSeen] = useState(payload)
  if (seen !== payload) {
    setSeen(payload)
    if (state === 'sent' && seen.lang === payload.lang && !own?.data.sent) setState('open')
  }

  // After a rejected POST the URL is that of the action, which cannot be loaded with GET.
  useEffect(() => {
    if (draft) history.replaceState(history.state, '', pathIn(code, `/${kind}`))
  }, [draft, code, kind])
  useEffect(() => {
    if (field) form.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus()
  }, [field])

  useEffect(() => {
    if (state === 'sent' && submitted.current) confirmation.current?.focus()
  }, [state])

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const request = requestOf(kind, code, event.currentTarget)
    submitted.current = true
    setState('busy')
    setProblem(null)
    try {
      await call('POST', '/support', request)
      setState('sent')
    } catch (error) {
      setProblem(problemOf(error))
      setState('open')
    }
  }

  if (state === 'sent') {
    return (
      <div ref={confirmation} className={`${fields.form} ${fields.sent}`} role="status" tabIndex={-1}>
        <h2>{sent.title}</h2>
        <p>{sent.text}</p>
        <Link href={pathIn(code, `/${kind}`)} onClick={() => setState('open')}>
          {text('form.another')}
        </Link>
      </div>
    )
  }
  const words = problem ? wordsFor(problem, text) : undefined
  return (
    <form
      ref={form}
      method="post"
      action={`/actions/${kind}`}
      className={`${fields.form} ${className}`}
      onSubmit={(event) => void send(event)}
    >
      <input type="hidden" name="lang" value={code} />
      {children({ problemAt: (name) => (name === field ? words : undefined), draft: draft ?? {} })}
      <div className={fields.trap} aria-hidden="true">
        <label>
          {text('form.trap')}
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <div role="alert">{words && !field ? <p className={problemCss.problem}>{words}</p> : null}</div>
      <div className={fields.actions}>
        <Button type="submit" look="main" disabled={state === 'busy'}>
          {state === 'busy' ? text('form.sending') : action}
        </Button>
      </div>
    </form>
  )
}
