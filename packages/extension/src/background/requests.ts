import { type Browser, browser } from '../browser.ts'
import type { FillReply, MarksReply, PageRequest } from '../page/calls.ts'
import { provideAddress } from '../state/addresses.ts'
import { recordFill } from '../state/fills.ts'
import { isSite } from '../state/page-access.ts'
import { changeState, readState } from '../state/state.ts'
import { loadTexts } from '../state/texts.ts'
import { confirmConnection, type ConnectRequest } from './connect.ts'
import { hideMarks } from './marks.ts'
import { endOffer, offerOf, openLink } from './offers.ts'
import { tellProblem } from './problem.ts'

type Sender = Browser.runtime.MessageSender

/** The origin of the frame that sent a message, as the browser says. */
const originOf = ({ origin, url }: Pick<Sender, 'origin' | 'url'>): string =>
  origin ?? URL.parse(url ?? '')?.origin ?? 'null'

/** Answers a script of the extension in a page. Only the origin of the page decides what the script gets. */
export async function answer(request: unknown, sender: Sender): Promise<unknown> {
  const tabId = sender.tab?.id
  const origin = originOf(sender)
  if (sender.id !== browser.runtime.id || tabId === undefined || !isSite(origin)) return null
  if (typeof request !== 'object' || request === null) return null
  const asked = request as PageRequest | ConnectRequest
  switch (asked.type) {
    case 'marks':
      return marksFor(origin)
    case 'fill':
      return fillFor(origin, tabId)
    case 'hide':
      await changeState(({ settings }) => {
        if (!settings.hidden.includes(origin)) settings.hidden.push(origin)
      })
      return void (await hideMarks(origin))
    case 'done':
      return done(asked.what, tabId, origin)
    case 'connect':
      return confirmConnection(asked, origin)
    default:
      return null
  }
}

async function marksFor(origin: string): Promise<MarksReply> {
  const { settings } = await readState()
  const isService = origin === new URL(settings.service).origin
  if (!settings.marks || isService || settings.hidden.includes(origin)) return null
  const { text, language } = await loadTexts(settings)
  return {
    fill: text('extension.fill'),
    hide: text('extension.hideMarks', { site: new URL(origin).host }),
    direction: language.dir,
  }
}

/** Called only for marks, and only after a click. */
async function fillFor(origin: string, tabId: number): Promise<FillReply> {
  const { settings } = await readState()
  if (!settings.marks || settings.hidden.includes(origin)) return 'off'
  try {
    const { address } = await provideAddress(origin)
    await recordFill({ address, origin, tabId })
    return { address }
  } catch (error) {
    await tellProblem(error)
    return null
  }
}

async function done(what: unknown, tabId: number, origin: string): Promise<null> {
  const offer = await offerOf(tabId)
  if (offer?.origin !== origin) return null
  await endOffer(tabId)
  if (what === 'link' && offer.link !== null) await openLink(offer.link, offer)
  return null
}
