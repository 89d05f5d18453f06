import type { DestinationKey, ForwardingRow } from '#core/forwarding/forwarding.ts'
import { isMessageId } from '#core/mailbox/message-id.ts'
import { createMac } from './mac.ts'

/** From where to where mail goes on: the same however often it was ended and begun again. */
export type Route = Pick<ForwardingRow, 'addressId' | 'destinationKey'>

/** What the link in a forwarded mail says. */
export interface StopToken {
  destinationKey: DestinationKey
  /** Whether the link is about this one of the destination's routes. */
  isOf(route: Route): boolean
}

/** What a forwarded mail bears that only this service can have written. None of it ever expires. */
export interface Marks {
  /** The value of `X-Mayfly-Forwarded`: `job.mac`. */
  mark(jobId: string): string
  /** The id of the job; undefined for a mark that was not made here. */
  readMark(mark: string): string | undefined
  /** 66 characters that may stand in a URL. They hold for a forwarding that is begun again, too. */
  stopToken(route: Route): string
  /** Undefined for a token that was not made here. */
  readStopToken(text: string): StopToken | undefined
}

const MAC_BYTES = 16
const MARK = /^(.{26})\.([\w-]{22})$/
const TOKEN = /^([\w-]{22})([\w-]{22})([\w-]{22})$/

export function createMarks(serviceKey: Uint8Array): Marks {
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
      // Not the address itself: nobody who reads it learns how the address is called here.
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
