import type { ErrorCode } from '#core/errors.ts'
import { ApiError, lost } from './api.ts'

/** Fetches a document or file of this site that is not below the API. Throws its problem like an API call. */
export async function fetchFile(path: string): Promise<Response> {
  const response = await fetch(path).catch(lost)
  if (response.ok) return response
  const { code } = (await response.json().catch(() => ({}))) as { code?: ErrorCode }
  throw new ApiError(code ?? 'internal')
}
