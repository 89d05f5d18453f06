import type { ForwardingJson, ForwardingLogJson, ForwardingsJson } from '#contract/forwarding.ts'
import type { ForwardingLogPage, ForwardingView, ForwardingsView } from '#features/forwarding/index.ts'
import { timestamp, timestampOrNull } from './time.ts'

export const forwardingJson = ({ createdAt, endsAt, ...view }: ForwardingView): ForwardingJson => ({
  ...view,
  createdAt: timestamp(createdAt),
  endsAt: timestampOrNull(endsAt),
})

export const forwardingsJson = ({ forwardings, ...view }: ForwardingsView): ForwardingsJson => ({
  ...view,
  forwardings: forwardings.map(forwardingJson),
})

export const logJson = ({ entries, next }: ForwardingLogPage): ForwardingLogJson => ({
  entries: entries.map(({ at, nextTryAt, ...entry }) => ({
    ...entry,
    at: timestamp(at),
    nextTryAt: timestampOrNull(nextTryAt),
  })),
  next,
})
