import { pathIn } from '#locales/languages.ts'
import { usePayload } from '../../app/page.tsx'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { Deliveries } from '../deliveries/deliveries.tsx'
import { AddressQuestion, Question } from './question.tsx'

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
  const fields = { path, shown: address }
  if (!message) return <AddressQuestion address={address} action="delete" fields={fields} back={pathIn(code, path)} />
  return (
    <Question
      title={text('delete.message')}
      words={<bdi>{message.subject || text('inbox.noSubject')}</bdi>}
      action="delete-message"
      fields={{ ...fields, id: message.id }}
      back={pathIn(code, `${path}?message=${message.id}`)}
    />
  )
}
