import { MayflyError } from '#core/errors.ts'
import { standardLanguage } from '#locales/languages.ts'
import type { Visit } from './home-data.ts'
import type { PageRequest } from './page-request.ts'

/** Runs before the page of a route. Returns the visit that the page gets, or throws what is shown instead. */
type Middleware = (visit: Visit, page: PageRequest) => Visit

/** By the names that routes use. */
const MIDDLEWARE: Record<string, Middleware> = {
  /** The page exists in the first language only. */
  'first-language': (visit, { lang }) => {
    if (lang !== standardLanguage) throw new MayflyError('not_found')
    return visit
  },
  /** The page shows no account data, because browsers cache it for all their users. */
  'signed-out': (visit) => ({ ...visit, signedIn: undefined }),
}

/**
 * Runs the middleware of a route in order. An unknown name is a fatal error, because the page could show what it must
 * not.
 */
export function runMiddleware(names: readonly string[], visit: Visit, page: PageRequest): Visit {
  return names.reduce((before, name) => {
    const middleware = Object.hasOwn(MIDDLEWARE, name) ? MIDDLEWARE[name] : undefined
    if (!middleware) throw new MayflyError('internal', 'Unknown route middleware')
    return middleware(before, page)
  }, visit)
}
