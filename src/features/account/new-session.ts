import { parse } from 'bowser'
import type { AccountSession } from '#core/account/account.ts'
import type { SubscriptionId } from '#core/ids.ts'
import { hashOf, newToken, randomId } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

const LABEL_MAX_CHARACTERS = 60
const USER_AGENT_MAX_CHARACTERS = 500

/** Returns browser and operating system, such as `Firefox, Linux`. Empty if the browser does not send them. */
function labelOf(userAgent: string): string {
  if (userAgent.trim() === '') return ''
  const { browser, os } = parse(userAgent.slice(0, USER_AGENT_MAX_CHARACTERS))
  return [browser.name, os.name].filter(Boolean).join(', ').slice(0, LABEL_MAX_CHARACTERS)
}

/** Returns a session that starts at `now` and lasts `lifetime` milliseconds without a visit, and its token. */
export function newSession(
  wrap: Pick<Wrap, 'wrap'>,
  subscriptionId: SubscriptionId,
  userAgent: string,
  now: number,
  lifetime: number,
): { token: string; session: AccountSession } {
  const token = newToken()
  const id = randomId()
  const session = {
    id,
    tokenHash: hashOf(token),
    subscriptionId,
    sealedLabel: wrap.wrap('session label', labelOf(userAgent), id),
    createdAt: now,
    seenAt: now,
    expiresAt: now + lifetime,
  }
  return { token, session }
}
