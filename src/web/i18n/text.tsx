import format, { type CompiledMessage, type FormatValues } from 'icu-minify/format'
import { createContext, type ReactNode, use, useMemo } from 'react'
import type { LimitsJson } from '#contract/operator.ts'
import { type Language, languages } from '#locales/languages.ts'
import type en from '../../../locales/en.json'
import { getDateTimeFormat, getNumberFormat, getPluralRules } from './formats.ts'

export type MessageKey = keyof typeof en
export type Messages = Record<MessageKey, CompiledMessage>
/**
 * Returns the text of a key in the page's language with its ICU arguments, which include the limits of the site. Empty
 * if the page does not have the key.
 */
export type Text = (key: MessageKey, values?: FormatValues<string>) => string

const formatters = { getDateTimeFormat, getNumberFormat, getPluralRules }

interface Value {
  language: Language
  text: Text
}

const Context = createContext<Value | null>(null)

export function languageOf(code: string): Language {
  const language = languages.find((each) => each.code === code) ?? languages[0]
  if (!language) throw new Error('There is no language')
  return language
}

export function textOf(messages: Messages, { format: { locale } }: Language, limits?: LimitsJson): Text {
  return (key, values) => {
    const message = messages[key] ?? ''
    if (typeof message === 'string') return message
    return String(format(message, locale, { ...limits, ...values }, { formatters }))
  }
}

interface Props {
  code: string
  messages: Messages
  /** Omitted where no text states a limit. */
  limits?: LimitsJson
  children: ReactNode
}

export function TextProvider({ code, messages, limits, children }: Props) {
  const value = useMemo(() => {
    const language = languageOf(code)
    return { language, text: textOf(messages, language, limits) }
  }, [code, messages, limits])
  return <Context value={value}>{children}</Context>
}

function useValue(): Value {
  const value = use(Context)
  if (!value) throw new Error('A page is rendered inside of TextProvider')
  return value
}

export const useText = (): Text => useValue().text
export const useLanguage = (): Language => useValue().language
