import { type ComponentProps, useEffect } from 'react'
import { restoreForms } from '../app/kept-forms.ts'
import { session } from '../app/storage.ts'

/**
 * A form that is sent by script. Its input is kept under `name` when the visitor leaves the page, and is there again when the
 * form is shown, which may be later than its page.
 */
export function KeptForm({ name, ...rest }: ComponentProps<'form'> & { name: string }) {
  useEffect(() => restoreForms(session), [])
  return <form data-keep={name} {...rest} />
}
