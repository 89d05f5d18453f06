import { Button } from '../../components/button.tsx'
import { useText } from '../../i18n/text.tsx'
import css from './forwarded.module.css'

interface Props {
  shown: 'confirm' | 'stop' | 'off' | 'stopped' | 'declined'
  link: string
  token: string
}

/**
 * The choices of a destination as a plain form. The token identifies the destination. A form is used because programs
 * that follow the links of emails must not trigger anything.
 */
export function Answers({ shown, link, token }: Props) {
  const text = useText()
  const asks = shown === 'confirm' || shown === 'stop'
  return (
    <form method="post" className={css.answers}>
      <input type="hidden" name={link} value={token} />
      {shown === 'confirm' ? (
        <>
          <Button type="submit" name="action" value="confirm" look="main">
            {text('forwarded.yes')}
          </Button>
          <Button type="submit" name="action" value="decline">
            {text('forwarded.no')}
          </Button>
        </>
      ) : null}
      {shown === 'stop' ? (
        <Button type="submit" name="action" value="stop" look="main">
          {text('forwarded.doStop')}
        </Button>
      ) : null}
      <Button type="submit" name="action" value="never" look={asks ? 'quiet' : 'plain'}>
        {text('forwarded.doNever')}
      </Button>
      <p className={css.soft}>{text('forwarded.neverHint')}</p>
    </form>
  )
}
