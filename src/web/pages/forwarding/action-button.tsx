import type { ComponentProps } from 'react'
import { Button } from '../../components/button.tsx'
import { useLanguage } from '../../i18n/text.tsx'

interface Props {
  act: 'pause' | 'restart' | 'end'
  /** Of the forwarding. */
  id: string
  /** What the form says beside it. */
  paused?: boolean
  busy: boolean
  look?: ComponentProps<typeof Button>['look']
  onAct: () => void
  children: string
}

/** A button for one forwarding; without JavaScript it is a form of its own. */
export function ActionButton({ act, id, paused, busy, look = 'plain', onAct, children }: Props) {
  const { code } = useLanguage()
  return (
    <form
      method="post"
      action={`/actions/forwarding-${act}`}
      onSubmit={(event) => {
        event.preventDefault()
        onAct()
      }}
    >
      <input type="hidden" name="lang" value={code} />
      <input type="hidden" name="id" value={id} />
      {paused === undefined ? null : <input type="hidden" name="paused" value={String(paused)} />}
      <Button type="submit" look={look} disabled={busy}>
        {children}
      </Button>
    </form>
  )
}
