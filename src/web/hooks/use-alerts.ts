import { useEffect } from 'react'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { local } from '../app/storage.ts'
import { useText } from '../i18n/text.tsx'

/** Sound and desktop notifications for new messages, if the visitor switched them on. Their code is loaded then. */
export function useAlerts(arrived: MessageSummaryJson | null): void {
  const text = useText()
  useEffect(() => {
    if (arrived && local.getItem('mayfly:alerts'))
      void import('../parts/list.ts').then(({ alertTo }) => alertTo(arrived, text))
    // oxlint-disable-next-line react/exhaustive-deps -- once per message: a refresh makes another text, and may repeat the event
  }, [arrived?.id])
}
