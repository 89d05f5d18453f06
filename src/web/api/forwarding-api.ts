import type { ForwardingJson, ForwardingLogJson, ForwardingsJson } from '#contract/forwarding.ts'
import { call, json } from './api.ts'

/** API calls of the forwarding page. */
export const forwardingApi = {
  list: () => json<ForwardingsJson>(call('GET', '/forwardings')),
  log: (before?: string) =>
    json<ForwardingLogJson>(call('GET', `/forwardings/log${before === undefined ? '' : `?before=${before}`}`)),
  ask: (destination: string, lang: string) => json<ForwardingJson>(call('POST', '/forwardings', { destination, lang })),
  pause: (id: string, paused: boolean) => call('PATCH', `/forwardings/${id}`, { paused }),
  restart: (id: string) => json<ForwardingJson>(call('POST', `/forwardings/${id}/restart`)),
  /** Ends it. A repetition changes nothing. */
  end: (id: string) => call('DELETE', `/forwardings/${id}?remove=false`),
  remove: (id: string) => call('DELETE', `/forwardings/${id}`),
}
