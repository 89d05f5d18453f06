import type { PagePayload } from '#contract/pages.ts'
import type { Part } from '#locales/parts.ts'
import { fetchJson } from '../api/api.ts'
import type { View } from '../app/view.ts'
import type { Messages } from './text.tsx'

/** The additional message parts of each view. All of them but `apps` are personal. */
const BEYOND = {
  message: ['message'],
  delete: ['deliveries', 'message'],
  account: ['account'],
  checkout: ['account'],
  private: ['account', 'message'],
  forwarding: ['forwarding'],
  forwarded: ['forwarding'],
  apps: ['apps'],
} as const satisfies Partial<Record<View, readonly Part[]>>

/** Whether a page is personal and has an additional message part. */
export const isOwn = (page: PagePayload['page']): page is Exclude<keyof typeof BEYOND & typeof page, 'apps'> =>
  page in BEYOND && page !== 'apps'

/** The parts that a view needs. */
export const partsOf = (view: View): Part[] => ['site', ...(view in BEYOND ? BEYOND[view as keyof typeof BEYOND] : [])]

/** The path of a message file in one build. */
export const messagesPath = (code: string, buildId: string, part: Part): string =>
  `/messages/${part === 'site' ? '' : `${part}/`}${code}.${buildId}.json`

const loaded = new Map<string, Promise<Messages>>()

/**
 * Loads the messages of a view in a language, and those of a part that only some visitors see. Each file is fetched once.
 * Throws if a file cannot be loaded.
 */
export async function loadMessages(code: string, view: View = 'home', ...beyond: Part[]): Promise<Messages> {
  const [site, ...more] = await Promise.all([...partsOf(view), ...beyond].map((part) => loadPart(code, part)))
  return Object.assign({}, site, ...more) as Messages
}

function loadPart(code: string, part: Part): Promise<Messages> {
  const path = messagesPath(code, document.documentElement.dataset.build ?? '', part)
  const known = loaded.get(path)
  if (known) return known
  const messages = fetchJson(path) as Promise<Messages>
  loaded.set(path, messages)
  messages.catch(() => loaded.delete(path))
  return messages
}
