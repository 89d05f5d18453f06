import { findCodeAndLink } from './finder.ts'

/** What is found in a mail of one part: HTML where it begins like that. */
export const find = (subject: string, body: string) =>
  findCodeAndLink({
    subject,
    text: body.startsWith('<') ? null : body,
    html: body.startsWith('<') ? body : null,
    fromName: 'Quay',
    fromAddress: 'no-reply@quay.example',
  })
