import { useText } from '../i18n/text.tsx'
import { Button } from './button.tsx'

interface Props {
  /** Cursor of the next older batch. */
  before: string
  busy: boolean
  onClick: () => void
}

/** Loads older entries: in place, or without JavaScript as a separate page. */
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
