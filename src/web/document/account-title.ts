import type { AccountData } from '#contract/pages.ts'
import type { MessageKey, Text } from '../i18n/text.tsx'

/** The title of a tab of the account, made from that of the page. The first tab has none of its own. */
export function accountTitle({ tab }: Pick<AccountData, 'tab'>, title: string, text: Text): string {
  const words = text(`account.tab.${tab}` as MessageKey)
  return words ? `${words} · ${title}` : title
}
