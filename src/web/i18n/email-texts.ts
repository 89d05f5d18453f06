import type { EmailTexts } from '#core/email/email.ts'
import { dateFormat } from './dates.ts'
import { moneyText } from './price.ts'
import { languageOf, type MessageKey, type Messages, textOf } from './text.tsx'

/** The texts and formats of emails in a language. */
export function emailTexts(code: string, messages: Messages): EmailTexts {
  const language = languageOf(code)
  const text = textOf(messages, language)
  const days = dateFormat(language.format, { day: 'long', zone: 'UTC' })
  return {
    text: (key, values) => text(key as MessageKey, values),
    day: (time) => days.format(time),
    price: (money) => moneyText(money, language.format.locale),
  }
}
