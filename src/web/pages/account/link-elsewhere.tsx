import { codeText } from '#core/account/account.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { useText } from '../../i18n/text.tsx'
import { SignIn } from './sign-in.tsx'
import fields from '../../components/field.module.css'
import css from './account.module.css'

/**
 * Shown for a sign-in link that another browser requested: the code to enter there, and a form for a link for this one.
 */
export function LinkElsewhere({ code }: { code: string }) {
  const text = useText()
  return (
    <>
      <section className={`${fields.column} ${css.elsewhere}`} aria-labelledby="link-title">
        <div className={fields.head}>
          <h1 id="link-title">{text('account.link.code')}</h1>
          <p className={fields.intro}>{text('account.link.text')}</p>
        </div>
        <p className={css.code}>
          <strong dir="ltr">{codeText(code)}</strong>
          <CopyButton value={code} look="plain">
            {text('address.copy')}
          </CopyButton>
        </p>
      </section>
      <SignIn here />
    </>
  )
}
