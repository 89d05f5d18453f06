import { SANDBOX_OUTCOMES } from '#core/billing/order.ts'
import { MayflyError } from '#core/errors.ts'
import { pathIn } from '#locales/languages.ts'
import { type Act, type Action, filled } from '../form-action.ts'
import { placeOrder } from './orders.ts'
import { simulatePayment } from './sandbox.ts'

const order: Act = async (context, request, reply, { plan, years, email, account, lang }) => {
  const form = { plan, years: filled(years) === undefined ? undefined : Number(years), email, language: lang }
  return (await placeOrder(context, request, reply, form, account)).url
}

const simulate: Act = async (context, request, _reply, { order: id = '', outcome, lang }) => {
  const chosen = SANDBOX_OUTCOMES.find((each) => each === outcome)
  if (!chosen) throw new MayflyError('invalid_request')
  await simulatePayment(context, request, id, chosen)
  return pathIn(lang, `/checkout?${new URLSearchParams({ order: id }).toString()}`)
}

/** The forms of the premium page and of the built-in checkout, without JavaScript. */
export const ORDER_ACTIONS: Record<string, Action> = {
  order: { act: order, refused: '/premium', keeps: true },
  sandbox: { act: simulate, refused: '/premium' },
}
