import { useEffect, useState } from 'react'
import { usePage } from '../../app/page.tsx'
import { loadMessages } from '../../i18n/messages.ts'
import { languageOf, textOf, useLanguage } from '../../i18n/text.tsx'

/** What the visitor can do if the browser blocks notifications, else undefined. The text is loaded then. */
export function useBlocked(isBlocked: boolean): string | undefined {
  const { code } = useLanguage()
  const { limits } = usePage().payload.site
  const [words, setWords] = useState<string>()
  useEffect(() => {
    if (!isBlocked) return
    loadMessages(code, 'home', 'apps').then(
      (messages) => setWords(textOf(messages, languageOf(code), limits)('push.blocked')),
      // Without the text, the switch is disabled and gives no reason.
      () => {},
    )
  }, [isBlocked, code, limits])
  return words
}
