import type { ReactNode } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { WithAddress } from '../../components/email-address.tsx'
import { HiddenFields } from '../../components/hidden-fields.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { useText } from '../../i18n/text.tsx'
import css from './delete.module.css'

interface Props {
  title: string
  words: ReactNode
  /** The action of the form, and its fields. */
  action: string
  fields: Record<string, string>
  /** The page that "Cancel" leads to. */
  back: string
  /** The text of the button. */
  confirm?: string
}

/** Asks before something is deleted or replaced, without JavaScript. */
export function Question({ title, words, action, fields, back, confirm }: Props) {
  const text = useText()
  return (
    <Notice title={title} words={words}>
      <form method="post" action={`/actions/${action}`} className={css.actions}>
        <HiddenFields confirmed="yes" {...fields} />
        <Link className={buttonClass()} href={back}>
          {text('delete.cancel')}
        </Link>
        <Button type="submit" look="danger">
          {confirm ?? text('delete.confirm')}
        </Button>
      </form>
    </Notice>
  )
}

type AddressProps = Pick<Props, 'action' | 'fields' | 'back'> & { address: string }

export function AddressQuestion({ address, ...rest }: AddressProps) {
  const text = useText()
  return (
    <Question
      title={text('delete.title')}
      words={<WithAddress text={text('delete.text', { address })} address={address} />}
      {...rest}
    />
  )
}
