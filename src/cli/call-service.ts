import { noResponseReason } from '#client/http.ts'
import { MayflyError, WaitTimeoutError } from '#client/index.ts'
import { UsageError } from './command.ts'

/** Error codes of a Mayfly service if the URL has a path, at which there is no API. */
const ELSEWHERE = new Set(['not_found', 'method_not_allowed'])

/** Throws unless `--url` is the URL of a site. */
export function checkUrl(url: string): void {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new UsageError('--url must be a URL with http or https')
}

/**
 * Calls the service at `url`. Rejects with one line that names the URL if nothing responds there, followed by `advice`,
 * or if it is not a Mayfly service.
 */
export async function callService<T>(url: string, advice: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const none = (each: unknown): string | undefined => {
      const reason = noResponseReason(each)
      return reason && `No service responds at ${url} (${reason})`
    }
    if (error instanceof WaitTimeoutError && error.cause instanceof Error) {
      const [why = ''] = (none(error.cause) ?? error.cause.message).split('\n', 1)
      throw new Error(`${error.message} ${why.replace(/\.$/, '')}.`, { cause: error })
    }
    const missing = none(error)
    if (missing !== undefined) throw new Error(`${missing}. ${advice}`, { cause: error })
    if (isForeign(error))
      throw new Error(`There is no Mayfly service at ${url}. Check the URL, which has no path`, { cause: error })
    throw error
  }
}

/** Whether the response came from something other than a Mayfly service. 5xx may come from a proxy in front of one. */
function isForeign(error: unknown): boolean {
  if (error instanceof SyntaxError) return true
  if (!(error instanceof MayflyError)) return false
  const { code, status } = error
  return (code === 'http' && status < 500 && status !== 429) || ELSEWHERE.has(code)
}
