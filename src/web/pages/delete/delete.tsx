import { pathIn } from '#locales/languages.ts'
import { usePayload } from '../../app/page.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { WithAddress } from '../../components/email-address.tsx'
import { HiddenFields } from '../../components/hidden-fields.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { Deliveries } from '../deliveries/deliveries.tsx'
import css from './delete.module.css'

/**
 * Shows the deliveries, or confirms the deletion of the address, or of the message `?message=ID`, without JavaScript.
 * With JavaScript, a dialog does that.
 */
export function Delete() {
  const text = useText()
  const { code } = useLanguage()
  const { data, path } = usePayload('home')
  const { message } = data
  if (data.panel !== 'question') return <Deliveries />
  const address = data.address?.address ?? ''
  return (
    <Notice
      title={text(message ? 'delete.message' : 'delete.title')}
      words={
        message ? (
          <bdi>{message.subject || text('inbox.noSubject')}</bdi>
        ) : (
          <WithAddress text={text('delete.text', { address })} address={address} />
        )
      }
    >
      <form method="post" action={message ? '/actions/delete-message' : '/actions/delete'} className={css.actions}>
        <HiddenFields path={path} confirmed="yes" shown={address} id={message?.id} />
        <Link className={buttonClass()} href={pathIn(code, message ? `${path}?message=${message.id}` : path)}>
          {text('delete.cancel')}
        </Link>
        <Button type="submit" look="danger">
          {text('delete.confirm')}
        </Button>
      </form>
    </Notice>
  )
}
