import { type Language, languages } from '../../../../locales/languages.ts'
import { languageOf, type Messages, type Text, textOf } from '../../../../src/web/i18n/text.tsx'
import { browser } from '../browser.ts'
import type { Settings } from './state.ts'

/** The language of the browser if the extension has it, else English. */
function browserLanguage(): string {
  const wanted = browser.i18n.getUILanguage().toLowerCase()
  const [primary] = wanted.split('-')
  const codes = languages.map(({ code }) => code)
  if (/^zh-(?:tw|hk|mo|hant)/.test(wanted)) return 'zh-TW'
  if (primary === 'km') return 'kh'
  return codes.find((code) => code === primary) ?? 'en'
}

export interface Texts {
  language: Language
  messages: Messages
  text: Text
}

/** Loads the texts of the extension in the language of the settings. */
export async function loadTexts({ language }: Pick<Settings, 'language'>): Promise<Texts> {
  const code = language === 'auto' ? browserLanguage() : language
  const response = await fetch(browser.runtime.getURL(`/messages/${code}.json`))
  const messages = (await response.json()) as Messages
  return { language: languageOf(code), messages, text: textOf(messages, languageOf(code)) }
}
