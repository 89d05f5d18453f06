import type { PROBLEM_REASONS } from '#core/operating/support.ts'
import { usePayload } from '../../app/page.tsx'
import { Choice } from '../../components/choice.tsx'
import { EmailInput } from '../../components/email-input.tsx'
import { Faq } from '../../components/faq.tsx'
import { Field, MessageInput } from '../../components/field.tsx'
import { Prose } from '../../components/prose.tsx'
import { SupportForm } from '../../components/support-form.tsx'
import { type MessageKey, useText } from '../../i18n/text.tsx'
import css from '../../components/field.module.css'
import own from './problem.module.css'

const REASONS: [(typeof PROBLEM_REASONS)[number], MessageKey][] = [
  ['not-arriving', 'problemPage.reason.notArriving'],
  ['lost-address', 'problemPage.reason.lostAddress'],
  ['display', 'problemPage.reason.display'],
  ['site-refuses', 'problemPage.reason.siteRefuses'],
  ['other', 'problemPage.reason.other'],
]

/** The form to report a problem, with the questions and answers. */
export function ProblemPage() {
  const text = useText()
  const { data, query } = usePayload('problem')
  return (
    <div className={css.column}>
      <section aria-labelledby="problem-title">
        <div className={css.head}>
          <h1 id="problem-title">{data.text.title}</h1>
          <Prose className={css.intro} html={data.text.html} />
        </div>
        <SupportForm
          kind="problem"
          action={text('form.send')}
          sent={{ title: text('form.sent'), text: text('problemPage.sentText') }}
        >
          {({ problemAt, draft }) => (
            <>
              <Field label={text('problemPage.reason')} problem={problemAt('reason')}>
                {(control) => (
                  <Choice name="reason" options={REASONS} chosen={draft.reason ?? query.reason} {...control} />
                )}
              </Field>
              <Field label={text('form.message')} problem={problemAt('message')}>
                {(control) => (
                  <MessageInput placeholder={text('problemPage.messagePrompt')} value={draft.message} {...control} />
                )}
              </Field>
              <Field
                label={text('form.email')}
                optional
                hint={text('problemPage.emailHint')}
                problem={problemAt('email')}
              >
                {(control) => <EmailInput value={draft.email} {...control} />}
              </Field>
            </>
          )}
        </SupportForm>
      </section>
      <section id="faq" className={own.faq} aria-labelledby="faq-title">
        <h2 id="faq-title">{text('problemPage.faq')}</h2>
        <Faq heading="h3" questions={data.text.questions} />
      </section>
    </div>
  )
}
