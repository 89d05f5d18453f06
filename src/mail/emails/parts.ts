import { codeText } from '#core/account/account.ts'
import type { EmailContent, EmailTexts } from '#core/email/email.ts'

/** The content of an email in its order. */
export interface EmailParts {
  subject: string
  paragraphs: string[]
  button: string
  url: string
  /** Why the recipient gets the email. Undefined: because of an account. */
  why?: string
}

export interface EmailFacts {
  /** How many hours a free address lives after a visit. */
  freeHours: number
}

/** Returns the texts of an email. */
export function partsOf(content: EmailContent, { text, day, price }: EmailTexts, facts: EmailFacts): EmailParts {
  const { url } = content
  const addressesUntil = (time: number): string =>
    text('mail.notice.addresses', { date: day(time), hours: facts.freeHours })
  const ofDomains = ({ domains = false }: { domains?: boolean }) => (domains ? [text('mail.notice.domains')] : [])
  switch (content.kind) {
    case 'sign-in': {
      const { code, minutes } = content
      const paragraphs = [
        text('mail.signIn.text', { minutes }),
        ...(code === undefined ? [] : [text('mail.signIn.code', { code: codeText(code) })]),
        text('mail.signIn.unasked'),
      ]
      return { subject: text('mail.signIn.subject'), paragraphs, button: text('mail.signIn.button'), url }
    }
    case 'receipt':
    case 'renewal': {
      const { kind, plan, total, paidAt } = content
      const { renews = true } = content
      const paragraphs = [
        text(`mail.${kind}.text`, { date: day(content.paidUntil) }),
        text('mail.paid', { plan, price: price(total), date: day(paidAt) }),
        text(renews ? 'mail.receipt.renews' : 'mail.receipt.once'),
      ]
      return { subject: text(`mail.${kind}.subject`), paragraphs, button: text('mail.account'), url }
    }
    case 'renewal-failed': {
      const { until, lapsesAt } = content
      const paragraphs = [
        text('mail.failed.text', { date: day(until) }),
        ...(lapsesAt === undefined ? [] : [addressesUntil(lapsesAt), ...ofDomains(content)]),
      ]
      return { subject: text('mail.failed.subject'), paragraphs, button: text('mail.failed.button'), url }
    }
    case 'notice': {
      const { lapsesAt, endsAt = lapsesAt, renews = false } = content
      const domains = ofDomains(content)
      if (endsAt !== null) {
        const paragraphs = [text('mail.notice.text'), addressesUntil(lapsesAt), text('mail.notice.keep'), ...domains]
        const subject = text('mail.notice.subject', { date: day(endsAt) })
        return { subject, paragraphs, button: text('mail.notice.button'), url }
      }
      const addresses = text('mail.notice.addressesNow', { date: day(lapsesAt), hours: facts.freeHours })
      const paragraphs = renews
        ? [text('mail.notice.renewing'), addresses, ...domains]
        : [addresses, text('mail.notice.keep'), ...domains]
      const button = text(renews ? 'mail.account' : 'mail.notice.button')
      return { subject: text('mail.notice.ended'), paragraphs, button, url }
    }
    case 'ended': {
      const paragraphs = [
        text('mail.ended.text', { hours: facts.freeHours }),
        ...ofDomains(content),
        text('mail.ended.back'),
      ]
      return { subject: text('mail.ended.subject'), paragraphs, button: text('mail.ended.button'), url }
    }
    case 'forwarding-confirm': {
      const { hours } = content
      const paragraphs = [text('mail.forwarding.confirm.text', { hours }), text('mail.forwarding.confirm.unasked')]
      const [subject, button] = [text('mail.forwarding.confirm.subject'), text('mail.forwarding.confirm.button')]
      return { subject, paragraphs, button, url, why: text('mail.forwarding.confirm.why') }
    }
    case 'forwarding-on': {
      const { until } = content
      const ends =
        until === null ? text('mail.forwarding.on.open') : text('mail.forwarding.on.until', { date: day(until) })
      const paragraphs = [text('mail.forwarding.on.text'), ends, text('mail.forwarding.on.stop')]
      const [subject, button] = [text('mail.forwarding.on.subject'), text('mail.forwarding.on.button')]
      return { subject, paragraphs, button, url, why: text('mail.forwarding.on.why') }
    }
  }
}
