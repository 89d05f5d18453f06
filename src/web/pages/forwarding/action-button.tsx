import type { ComponentProps } from 'react'
import { Button } from '../../components/button.tsx'
import { HiddenFields } from '../../components/hidden-fields.tsx'

interface Props {
  /** The name of the action, as in `/actions/forwarding-end`. */
  act: string
  /** Id of what it is for, such as a forwarding. */
  id: string
  /** Additional form values. */
  paused?: boolean
  remove?: boolean
  busy: boolean
  look?: ComponentProps<typeof Button>['look']
  onAct: () => void
  children: string
}

/** An action button of one row. Without JavaScript it submits a form. */
export function ActionButton({ act, id, paused, remove, busy, look = 'plain', onAct, children }: Props) {
  return (
    <form
      method="post"
      action={`/actions/${act}`}
      onSubmit={(event) => {
        event.preventDefault()
        onAct()
      }}
    >
      <HiddenFields id={id} paused={paused?.toString()} remove={remove?.toString()} />
      <Button type="submit" look={look} disabled={busy}>
        {children}
      </Button>
    </form>
  )
}
