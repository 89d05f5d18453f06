import { type ComponentProps, type FormEvent, useEffect } from 'react'
import { restoreForms } from '../app/kept-forms.ts'
import { session } from '../app/storage.ts'

interface Props extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  name: string
  /** Sends the input. Settles when it is sent. */
  onSend: (form: HTMLFormElement) => Promise<unknown>
}

/**
 * A form that is sent by script. Its input is kept under `name` when the visitor leaves the page, and restored when the form is
 * shown again. The form may appear after its page was loaded.
 */
export function KeptForm({ name, onSend, ...rest }: Props) {
  useEffect(() => restoreForms(session), [])

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = event.currentTarget
    // The page may be refreshed before the form is closed. Input that was sent would come back later.
    delete form.dataset['keep']
    void onSend(form).finally(() => (form.dataset['keep'] = name))
  }

  return <form data-keep={name} {...rest} onSubmit={submit} />
}
