import { randomUUID } from 'node:crypto'
import { type ErrorCode, MayflyError } from '#core/errors.ts'
import type { Domain } from '#core/mailbox/domain.ts'
import type { OperatorShare } from '#core/mailbox/message-store.ts'
import type { Header } from '#core/mailbox/message.ts'
import { CONTACT_REASONS, PREMIUM_MARK, PROBLEM_REASONS, type SupportForm } from '#core/operating/support.ts'
import { lineOf } from '#core/text.ts'
import type { Clock } from '#core/time.ts'
import type { Receive } from '#features/receiving/index.ts'
import { composeMail, type OutgoingMail } from '#mail/compose.ts'
import { emailAddress } from '#mail/email-address.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

/** A valid form as an email. */
interface Email extends OutgoingMail {
  /** The share of the operator mailbox that stores it. */
  share: OperatorShare
}

export interface Support {
  /**
   * Validates a form and converts it to an email. The email of a signed-in subscriber has priority. Throws
   * `name_invalid`, `reason_invalid`, `email_invalid`, `message_invalid`, `message_too_long`.
   */
  email(form: SupportForm, sender?: { premium: boolean }): Email
  /**
   * Delivers an email to the operator mailbox. It is durable when the promise resolves. `from` is the IP address of the
   * visitor, used for rate limits only and never stored. Throws `mailbox_full`, `disk_full`, `store_unavailable`.
   */
  send(email: Email, from?: string): Promise<void>
  /** Whether a message with these header fields is the genuine email of a subscriber. */
  hasPriority(headers: readonly Header[]): boolean
}

interface SupportDeps {
  receive: Receive
  /** The first one is used in the addresses of the emails. */
  domains: readonly Domain[]
  clock: Clock
  wrap: Pick<Wrap, 'hash'>
  /** In UTF-16 code units, like `maxlength` in HTML. */
  maxMessageCharacters: number
  maxNameCharacters: number
}

const SUBJECT_MAX_CHARACTERS = 100
const PRIORITY_HEADER = 'X-Mayfly-Priority'
// oxlint-disable-next-line no-control-regex -- matches control characters
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g

const textOf = (text = ''): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(CONTROL_CHARACTERS, '')
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

/** Delivers the contact forms to the operator mailbox of postmaster@ and abuse@, sealed like any other message. */
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

  /**
   * Returns the fields of a form, validated in the order in which the form shows them, so that the first error is
   * reported.
   */
  function contentOf(form: SupportForm) {
    switch (form.kind) {
      case 'contact': {
        const name = nameOf(form)
        const reason = oneOf(CONTACT_REASONS, form.reason, 'reason_invalid')
        return { name, reason, email: emailOf(form), message: messageOf(form) }
      }
      case 'problem': {
        const reason = oneOf(PROBLEM_REASONS, form.reason, 'reason_invalid')
        const email = lineOf(form.email) === '' ? undefined : emailOf(form)
        return { name: undefined, reason, email, message: messageOf(form) }
      }
    }
  }

  /** A keyed hash that binds the priority to an email, so that a sender cannot forge it. */
  const priorityOf = (messageId: string): string => `premium ${deps.wrap.hash('priority', messageId)}`

  return {
    email(form, { premium } = { premium: false }) {
      const { name, reason, email, message } = contentOf(form)
      const facts = { Form: form.kind, About: reason, Name: name, Email: email, Language: form.language }
      const messageId = `<${randomUUID()}@${domain}>`
      const mark = premium ? PREMIUM_MARK : ''
      const signature = Object.entries(facts).flatMap(([label, value]) =>
        value === undefined ? [] : `${label}: ${value}`,
      )
      return {
        share: premium ? 'premium' : form.kind,
        from: { name: name === undefined ? 'Mayfly' : `${name} via Mayfly`, address: `noreply@${domain}` },
        to: `${reason === 'abuse' ? 'abuse' : 'postmaster'}@${domain}`,
        replyTo: email === undefined ? undefined : { name: name ?? '', address: email },
        messageId,
        date: clock(),
        subject: `${mark}[${form.kind}: ${reason}] ${shortened(lineOf(message.split('\n', 1)[0]))}`,
        text: `${message}\n\n-- \n${signature.join('\n')}\n`,
        ...(premium ? { headers: { [PRIORITY_HEADER]: priorityOf(messageId) } } : {}),
      }
    },

    hasPriority(headers) {
      const valueOf = (name: string) => headers.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value
      const messageId = valueOf('Message-ID')
      return messageId !== undefined && valueOf(PRIORITY_HEADER) === priorityOf(messageId)
    },

    async send({ share, ...email }, from) {
      const raw = await composeMail(email)
      const recipient = await receive.accept(email.to, { share, from })
      // The address of this host: the visitor's IP address is not stored.
      const envelope = { mailFrom: '', helo: domain, clientAddress: '127.0.0.1', tls: true, receivedAt: clock() }
      await receive.deliver(envelope, [recipient], raw)
    },
  }
}
