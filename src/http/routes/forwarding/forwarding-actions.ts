import type { Action } from '../form-action.ts'
import { askAgain, askDestination } from './forwarding.ts'

const FORWARDING = { done: '/forwarding', refused: '/forwarding' }

/** The forms of forwarding, without JavaScript. */
export const FORWARDING_ACTIONS: Record<string, Action> = {
  forward: {
    async act(context, request, reply, { destination = '', lang }) {
      await askDestination(context, request, reply, { destination, lang })
    },
    ...FORWARDING,
    keeps: true,
  },
  'forwarding-pause': {
    async act({ auth, deps }, request, _reply, { id = '', paused }) {
      await deps.forwardings.setPaused((await auth.requireAddress(request)).open, id, paused === 'true')
    },
    ...FORWARDING,
  },
  'forwarding-restart': {
    async act(context, request, reply, { id = '' }) {
      await askAgain(context, request, reply, id)
    },
    ...FORWARDING,
  },
  'forwarding-end': {
    async act({ auth, deps }, request, _reply, { id = '', remove }) {
      await deps.forwardings.end((await auth.requireAddress(request)).open, id, remove !== 'false')
    },
    ...FORWARDING,
  },
}
