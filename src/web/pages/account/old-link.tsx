import { useText } from '../../i18n/text.tsx'
import { SignIn } from './sign-in.tsx'
import css from './account.module.css'

/** Shown for an expired sign-in link, with a way to request another one. */
export function OldLink() {
  const text = useText()
  return (
    <>
      <div className={css.alert} role="alert">
        <strong>{text('account.link.invalid')}</strong> {text('account.link.invalidText')}
      </div>
      <SignIn />
    </>
  )
}
