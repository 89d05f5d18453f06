import { useText } from '../i18n/text.tsx'
import { Button } from './button.tsx'

interface Props {
  /** Where what is older begins. */
  before: string
  busy: boolean
  onClick: () => void
}

/** The way to what is older: on the same page, or, without scripts, on one of its own. */
export function Older({ before, busy, onClick }: Props) {
  const text = useText()
  return (
    <>
      <Button className="needs-script" disabled={busy} onClick={onClick}>
        {text('inbox.more')}
      </Button>
      <a className="without-script" href={`?before=${before}`}>
        {text('inbox.more')}
      </a>
    </>
  )
}
