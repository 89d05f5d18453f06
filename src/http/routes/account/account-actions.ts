import { toMayflyError } from '../../errors.ts'
import { openPaid } from '../billing/orders.ts'
import { type Action, askPath } from '../form-action.ts'
import { askForLink, openLink, signOut } from './account.ts'
import { openKept, removeKept, replaceKept } from './kept-addresses.ts'

const ACCOUNT = { done: '/account', refused: '/account' }

/** The forms of the account, without JavaScript. */
export const ACCOUNT_ACTIONS: Record<string, Action> = {
  'replace-kept-secret': {
    async act(context, request, _reply, { id = '', confirmed, lang }) {
      if (confirmed === undefined) {
        const { subscription } = await context.account.session(request)
        await context.deps.keptAddresses.open(subscription, id)
        return askPath(lang, '/account', { address: id }, 'replace')
      }
      await replaceKept(context, request, id)
      return undefined
    },
    done: '/account?replaced=1',
    refused: '/account',
  },
  'open-kept': {
    async act(context, request, reply, { id = '' }) {
      await openKept(context, request, reply, id)
    },
    refused: '/account',
  },
  'delete-kept': {
    async act(context, request, reply, { id = '', confirmed, lang }) {
      await context.account.session(request)
      if (confirmed === undefined) return askPath(lang, '/account', { address: id })
      await removeKept(context, request, reply, id).catch((error: unknown) => {
        // It was already deleted elsewhere.
        if (toMayflyError(error).code !== 'not_found') throw error
      })
      return undefined
    },
    ...ACCOUNT,
  },
  'sign-in-order': {
    async act(context, request, reply, { order: id = '' }) {
      await openPaid(context, request, reply, id)
    },
    ...ACCOUNT,
  },
  'sign-in': {
    async act(context, request, reply, { email = '', lang }) {
      askForLink(context, request, reply, email, lang)
    },
    done: '/account?sent=1',
    refused: '/account',
  },
  'sign-in-link': {
    async act(context, request, reply, { token = '' }) {
      await openLink(context, request, reply, { token })
    },
    ...ACCOUNT,
  },
  'sign-in-code': {
    async act(context, request, reply, { code = '' }) {
      await openLink(context, request, reply, { code })
    },
    ...ACCOUNT,
  },
  'sign-out': { act: signOut, ...ACCOUNT },
}
