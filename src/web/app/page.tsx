import { type ComponentType, createContext, use } from 'react'
import type { PagePayload } from '#contract/pages.ts'
import type { Messages } from '../i18n/text.tsx'

export interface GoOptions {
  replace?: boolean
  done?: boolean
}

interface PageContextValue {
  payload: PagePayload
  /**
   * Navigates to a page of this site after its payload is loaded. `replace` adds no history entry. `done`: an action was
   * carried out that this page doesn't show, so a navigation that fails is repeated when the server is reachable. Resolves
   * to whether the page is shown, or the browser loads it.
   */
  go(href: string, options?: GoOptions): Promise<boolean>
  /**
   * Reloads the payload of the current page until that succeeds. With `error`, the page shows that problem and no open
   * message. Resolves to whether the first try succeeded.
   */
  refresh(error?: string): Promise<boolean>
  loading: boolean
  /** Whether the server did not respond to the last navigation, or a file of the page could not be loaded. */
  offline: boolean
  /** Called when a file could not be loaded. */
  missed(): void
  /** Called when the server was reached otherwise: `offline` is no longer true. */
  reached(): void
}

const Context = createContext<PageContextValue | null>(null)
export const PageProvider = Context

export function usePage(): PageContextValue {
  const value = use(Context)
  if (!value) throw new Error('A page is rendered inside of PageProvider')
  return value
}

/** The payload of a page by its name. */
export function usePayload<Name extends PagePayload['page']>(name: Name): Extract<PagePayload, { page: Name }> {
  const { payload } = usePage()
  if (payload.page !== name) throw new Error(`This is the page ${payload.page}, not ${name}`)
  return payload as Extract<PagePayload, { page: Name }>
}

/** A page with all its render inputs. */
export interface LoadedPage {
  payload: PagePayload
  messages: Messages
  Page: ComponentType
}
