import { PLANS } from '#core/plan.ts'
import { randomUUID } from 'node:crypto'
import { emailAddress } from '#mail/email-address.ts'
import { type ErrorCode, MayflyError } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { Domain } from '#core/domain.ts'
import { CONTACT_REASONS, PROBLEM_REASONS, type SupportForm } from '#core/support.ts'
import { composeMail, type OutgoingMail } from '#mail/compose.ts'
import type { Receive } from './receive.ts'

/** A form that is as it should be, as the mail that it becomes. */
export type Letter = OutgoingMail

export interface Support {
  /**
   * Checks a form. Throws `name_invalid`, `reason_invalid`, `email_invalid`, `message_invalid`, `message_too_long`,
   * `plan_invalid`.
   */
  letter(form: SupportForm): Letter
  /** Resolves when the mail is durable in the operator's mailbox. Throws `mailbox_full`, `disk_full`, `store_unavailable`. */
  send(letter: Letter): Promise<void>
}

export interface SupportDeps {
  receive: Receive
  /** The first one is in the addresses of the mails. */
  domains: readonly Domain[]
  clock: Clock
  /** Characters are UTF-16 units, as browsers count them. */
  maxMessageCharacters: number
  maxNameCharacters: number
  maxCryptoYears: number
}

const SUBJECT_MAX_CHARACTERS = 100
/** Nothing that ends a line, moves a cursor or turns the direction of the text around it. */
// oxlint-disable-next-line no-control-regex -- they are what is meant
const NOT_IN_A_LINE = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]+/g
// oxlint-disable-next-line no-control-regex
const NOT_IN_A_TEXT = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g

const lineOf = (text = ''): string => text.toWellFormed().replace(NOT_IN_A_LINE, ' ').replace(/\s+/g, ' ').trim()
const textOf = (text = ''): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(NOT_IN_A_TEXT, '')
    .trim()

function shortened(line: string): string {
  const characters = Array.from(line)
  return characters.length <= SUBJECT_MAX_CHARACTERS
    ? line
    : `${characters.slice(0, SUBJECT_MAX_CHARACTERS - 1).join('')}…`
}

function oneOf<T extends string>(values: readonly T[], value: string | undefined, code: ErrorCode): T {
  const found = values.find((each) => each === value)
  if (found === undefined) throw new MayflyError(code, `One of ${values.join(', ')}`)
  return found
}

/** What visitors write to the operator: it arrives in the mailbox of postmaster@ and abuse@, sealed like any other mail. */
export function createSupport(deps: SupportDeps): Support {
  const { receive, clock } = deps
  const domain = deps.domains[0]?.name ?? 'localhost'

  function nameOf({ name }: SupportForm): string {
    const line = lineOf(name)
    if (line !== '' && line.length <= deps.maxNameCharacters) return line
    throw new MayflyError('name_invalid', `1 to ${deps.maxNameCharacters} characters`)
  }

  function emailOf({ email = '' }: SupportForm): string {
    const address = emailAddress(email)
    if (address === undefined) throw new MayflyError('email_invalid')
    return address
  }

  function messageOf({ message }: SupportForm): string {
    const text = textOf(message)
    if (text === '') throw new MayflyError('message_invalid')
    if (text.length > deps.maxMessageCharacters)
      throw new MayflyError('message_too_long', `${deps.maxMessageCharacters} characters at most`)
    return text
  }

  function planOf({ plan, years }: SupportForm): string {
    const chosen = oneOf(PLANS, plan, 'plan_invalid')
    if (chosen !== 'crypto') return chosen
    if (years === undefined || !Number.isInteger(years) || years < 1 || years > deps.maxCryptoYears)
      throw new MayflyError('plan_invalid', `1 to ${deps.maxCryptoYears} years`)
    return `crypto, ${years} ${years === 1 ? 'year' : 'years'}`
  }

  /** Of each kind: the fields as the operator reads them, and the words. In the order of the form, so that its first fault is told. */
  function contentOf(form: SupportForm) {
    switch (form.kind) {
      case 'contact': {
        const name = nameOf(form)
        const about = oneOf(CONTACT_REASONS, form.reason, 'reason_invalid')
        return { name, about, email: emailOf(form), message: messageOf(form) }
      }
      case 'problem': {
        const about = oneOf(PROBLEM_REASONS, form.reason, 'reason_invalid')
        const email = lineOf(form.email) === '' ? undefined : emailOf(form)
        return { name: undefined, about, email, message: messageOf(form) }
      }
      case 'premium': {
        const email = emailOf(form)
        return { name: undefined, about: planOf(form), email, message: 'A visitor asks for Premium.' }
      }
    }
  }

  return {
    letter(form) {
      const { name, about, email, message } = contentOf(form)
      const facts = { Form: form.kind, About: about, Name: name, Email: email, Language: form.language }
      const signature = Object.entries(facts).flatMap(([label, value]) =>
        value === undefined ? [] : `${label}: ${value}`,
      )
      return {
        from: { name: name === undefined ? 'Mayfly' : `${name} via Mayfly`, address: `noreply@${domain}` },
        to: `${about === 'abuse' ? 'abuse' : 'postmaster'}@${domain}`,
        replyTo: email === undefined ? undefined : { name: name ?? '', address: email },
        messageId: `<${randomUUID()}@${domain}>`,
        date: clock(),
        subject: `[${form.kind}: ${about}] ${shortened(lineOf(message.split('\n', 1)[0]))}`,
        text: `${message}\n\n-- \n${signature.join('\n')}\n`,
      }
    },

    async send(letter) {
      const raw = await composeMail(letter)
      const recipient = await receive.accept(letter.to)
      // It comes from here: nothing is written down of where the visitor is.
      const envelope = { mailFrom: '', helo: domain, clientAddress: '127.0.0.1', tls: true, receivedAt: clock() }
      await receive.deliver(envelope, [recipient], raw)
    },
  }
}
