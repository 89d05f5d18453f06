import type { DestinationKey, ForwardingRow } from '#core/forwarding/forwarding.ts'
import { isMessageId } from '#core/mailbox/message-id.ts'
import { createMac } from './mac.ts'

/** The address and destination of a forwarding. It stays the same if the forwarding ends and starts again. */
type Route = Pick<ForwardingRow, 'addressId' | 'destinationKey'>

/** The content of the link in a forwarded message that ends the forwarding. */
interface StopToken {
  destinationKey: DestinationKey
  /** Whether the link ends the forwarding of this route. */
  isOf(route: Route): boolean
}

/** Values in a forwarded message that only this service can create. They never expire. */
export interface ForwardingMarks {
  /** Returns the value of `X-Mayfly-Forwarded`: `job.mac`. */
  mark(jobId: string): string
  /** Returns the id of the job. Undefined for a mark that was not created here. */
  readMark(mark: string): string | undefined
  /** Returns 66 characters that are safe in a URL. They are valid also after the forwarding starts again. */
  stopToken(route: Route): string
  /** Undefined for a token that was not created here. */
  readStopToken(text: string): StopToken | undefined
}

const MAC_BYTES = 16
const MARK = /^(.{26})\.([\w-]{22})$/
const TOKEN = /^([\w-]{22})([\w-]{22})([\w-]{22})$/

export function createForwardingMarks(serviceKey: Uint8Array): ForwardingMarks {
  const marks = createMac(serviceKey, 'forwarding mark', MAC_BYTES)
  const routes = createMac(serviceKey, 'forwarding route', MAC_BYTES)
  const stops = createMac(serviceKey, 'forwarding stop', MAC_BYTES)
  const textOf = ({ addressId, destinationKey }: Route): string => addressId + destinationKey
  return {
    mark: (jobId) => `${jobId}.${marks.of(jobId)}`,
    readMark(mark) {
      const [, jobId = '', given = ''] = MARK.exec(mark) ?? []
      return isMessageId(jobId) && marks.verify(jobId, given) ? jobId : undefined
    },
    stopToken(route) {
      // A hash instead of the address id, so that readers of the token do not learn the id.
      const text = routes.of(textOf(route)) + route.destinationKey
      return text + stops.of(text)
    },
    readStopToken(token) {
      const [, routeKey = '', destinationKey = '', given = ''] = TOKEN.exec(token) ?? []
      if (!stops.verify(routeKey + destinationKey, given)) return undefined
      return { destinationKey, isOf: (route) => routes.verify(textOf(route), routeKey) }
    },
  }
}
