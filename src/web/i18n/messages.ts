import type { PagePayload } from '#contract/pages.ts'
import type { Part } from '#locales/parts.ts'
import type { Messages } from './text.tsx'

/** The additional message part of each personal page. */
const BEYOND = {
  account: 'account',
  checkout: 'account',
  private: 'account',
  forwarding: 'forwarding',
  forwarded: 'forwarding',
} as const satisfies Partial<Record<PagePayload['page'], Part>>

/** Whether a page is personal and has an additional message part. */
export const isOwn = (page: PagePayload['page']): page is keyof typeof BEYOND => page in BEYOND

/** The parts that a page needs. */
export const partsOf = (page: PagePayload['page']): Part[] => (isOwn(page) ? ['site', BEYOND[page]] : ['site'])

/** The path of a message file in one build. */
export const messagesPath = (code: string, buildId: string, part: Part): string =>
  `/messages/${part === 'site' ? '' : `${part}/`}${code}.${buildId}.json`

const loaded = new Map<string, Promise<Messages>>()

/**
 * Loads the messages of a page in a language, and those of a part that only some visitors see. Each file is fetched once.
 * Throws if a file cannot be loaded.
 */
export async function loadMessages(
  code: string,
  page: PagePayload['page'] = 'home',
  ...beyond: Part[]
): Promise<Messages> {
  const [site, ...more] = await Promise.all([...partsOf(page), ...beyond].map((part) => loadPart(code, part)))
  return Object.assign({}, site, ...more) as Messages
}

function loadPart(code: string, part: Part): Promise<Messages> {
  const path = messagesPath(code, document.documentElement.dataset.build ?? '', part)
  const known = loaded.get(path)
  if (known) return known
  const messages = fetch(path).then((response) => {
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.json() as Promise<Messages>
  })
  loaded.set(path, messages)
  messages.catch(() => loaded.delete(path))
  return messages
}
