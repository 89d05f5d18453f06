import { SUPPORT_KINDS, type SupportKind } from '#core/operating/support.ts'
import type { Action } from '../form-action.ts'
import { sendForm } from './support-form.ts'

const write = (kind: SupportKind): Action => ({
  async act(context, request, reply, { website, lang, ...fields }) {
    const form = { ...fields, kind, language: lang }
    await sendForm(context, request, reply, form, website)
  },
  done: `/${kind}?sent=1`,
  refused: `/${kind}`,
  keeps: true,
})

/** The forms of the site to its operator, without JavaScript. */
export const SUPPORT_ACTIONS: Record<string, Action> = Object.fromEntries(
  SUPPORT_KINDS.map((kind) => [kind, write(kind)]),
)
