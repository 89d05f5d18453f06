import { MayflyError } from '@mayfly/client'
import type { Text } from '../../../../src/web/i18n/text.tsx'

/** What to tell the visitor about an error. */
export function problemText(error: unknown, text: Text): string {
  if (!(error instanceof MayflyError)) return text('problem.offline')
  switch (error.code) {
    case 'address_taken':
    case 'login_invalid':
    case 'login_reserved':
      return text('extension.nameTaken')
    case 'premium_required':
    case 'addresses_full':
    case 'domain_unknown':
    case 'unauthorized':
      return text(`problem.${error.code}`)
    case 'too_many_requests':
      return text('problem.too_many_requests', { seconds: Math.max(1, Math.ceil(error.retryAfter ?? 1)) })
    case 'key_invalid':
    case 'secret_replaced':
      return text('extension.connectFailed')
    default:
      return text('problem.other')
  }
}
