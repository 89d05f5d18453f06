import { findCodeAndLink } from './finder.ts'

/** Runs the finder on a message with one part, which is HTML if it begins with `<`. */
export const find = (subject: string, body: string) =>
  findCodeAndLink({
    subject,
    text: body.startsWith('<') ? null : body,
    html: body.startsWith('<') ? body : null,
    fromName: 'Quay',
    fromAddress: 'no-reply@quay.example',
  })
