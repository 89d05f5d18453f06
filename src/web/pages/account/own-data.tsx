import { type FormEvent, useState } from 'react'
import type { AccountJson } from '#contract/account.ts'
import { accountApi } from '../../api/account-api.ts'
import { usePage } from '../../app/page.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EmailInput } from '../../components/email-input.tsx'
import { Field } from '../../components/field.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useText } from '../../i18n/text.tsx'
import { Section } from './section.tsx'
import css from './account.module.css'

/** Export or erase all stored data of the account. */
export function OwnData({ account, onErased }: { account: AccountJson; onErased: () => void }) {
  const text = useText()
  const { site } = usePage().payload
  const [erasing, setErasing] = useState(false)
  return (
    <Section title={text('account.data')}>
      <p className={css.soft}>{text('account.data.text')}</p>
      <div className={css.actions}>
        <a className={buttonClass('plain')} href={`/api/v1/account/export?account=${site.account?.id}`} download>
          {text('account.data.download')}
        </a>
        {account.confirmed ? (
          <Button look="danger" className="needs-script" onClick={() => setErasing(true)}>
            {text('account.erase')}
          </Button>
        ) : null}
      </div>
      {erasing ? <Erase email={account.email} onClose={() => setErasing(false)} onErased={onErased} /> : null}
    </Section>
  )
}

function Erase({ email, onClose, onErased }: { email: string; onClose: () => void; onErased: () => void }) {
  const text = useText()
  const { busy, problem, attempt } = useAttempt()

  async function erase(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('email'))
    if (await attempt(() => accountApi.erase(typed))) onErased()
  }

  const actions = (
    <>
      <Button onClick={onClose}>{text('delete.cancel')}</Button>
      <Button look="danger" type="submit" form="erase" disabled={busy}>
        {text('account.erase.confirm')}
      </Button>
    </>
  )
  return (
    <Dialog title={text('account.erase')} onClose={onClose} actions={actions}>
      <p>{text('account.erase.text')}</p>
      <form id="erase" className={css.erase} onSubmit={(event) => void erase(event)}>
        <Field label={text('account.erase.email')} hint={email}>
          {(control) => <EmailInput required value={undefined} {...control} />}
        </Field>
      </form>
      <ProblemLine problem={problem} words={{ email_invalid: 'account.erase.email' }} />
    </Dialog>
  )
}
