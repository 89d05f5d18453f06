import { type ComponentProps, useEffect } from 'react'
import { restoreForms } from '../app/kept-forms.ts'
import { session } from '../app/storage.ts'

/**
 * A form that is sent by script. Its input is kept under `name` when the visitor leaves the page, and restored when the form is
 * shown again. The form may appear after its page was loaded.
 */
export function KeptForm({ name, ...rest }: ComponentProps<'form'> & { name: string }) {
  useEffect(() => restoreForms(session), [])
  return <form data-keep={name} {...rest} />
}
