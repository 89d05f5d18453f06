import { CONTACT_REASONS } from '#core/operating/support.ts'
import { usePayload } from '../../app/page.tsx'
import { Choice } from '../../components/choice.tsx'
import { EmailInput } from '../../components/email-input.tsx'
import { Field, MessageInput } from '../../components/field.tsx'
import { Prose } from '../../components/prose.tsx'
import { SupportForm } from '../../components/support-form.tsx'
import { useText } from '../../i18n/text.tsx'
import css from '../../components/field.module.css'

/** The contact form. `?reason=advertising` preselects the reason. */
export function Contact() {
  const text = useText()
  const { data, query } = usePayload('contact')
  return (
    <section className={css.column} aria-labelledby="contact-title">
      <div className={css.head}>
        <h1 id="contact-title">{data.text.title}</h1>
        <Prose className={css.intro} html={data.text.html} />
      </div>
      <SupportForm
        kind="contact"
        action={text('form.send')}
        sent={{ title: text('form.sent'), text: text('contact.sentText') }}
      >
        {({ problemAt, draft }) => (
          <>
            <Field label={text('contact.name')} problem={problemAt('name')}>
              {(control) => (
                <input
                  name="name"
                  required
                  autoComplete="name"
                  placeholder={text('contact.namePrompt')}
                  defaultValue={draft.name}
                  {...control}
                />
              )}
            </Field>
            <Field label={text('contact.reason')} problem={problemAt('reason')}>
              {(control) => (
                <Choice
                  name="reason"
                  options={CONTACT_REASONS.map((reason) => [reason, `contact.reason.${reason}`] as const)}
                  chosen={draft.reason ?? query.reason}
                  {...control}
                />
              )}
            </Field>
            <Field label={text('form.email')} hint={text('form.emailHint')} problem={problemAt('email')}>
              {(control) => <EmailInput required value={draft.email} {...control} />}
            </Field>
            <Field label={text('form.message')} problem={problemAt('message')}>
              {(control) => (
                <MessageInput placeholder={text('contact.messagePrompt')} value={draft.message} {...control} />
              )}
            </Field>
          </>
        )}
      </SupportForm>
    </section>
  )
}
