import type { MessageSummary } from '@mayfly/client'
import { senderName } from '../../../../src/web/components/sender.ts'
import { browser } from '../browser.ts'
import { fillCodeIn } from '../state/fill-page.ts'
import { OFFERED_FOR, siteOf, sitesOf } from '../state/fills.ts'
import { framesOf } from '../state/page-access.ts'
import { type Fill, readState, type State } from '../state/state.ts'
import { loadTexts } from '../state/texts.ts'

/** A code or a link for the site of a tab. */
interface PendingOffer {
  address: string
  origin: string
  tabId: number
  code: string | null
  link: string | null
  /** When the address was filled in. */
  at: number
}

/** In memory: `storage.session` outlives the background, but not the browser. */
const KEY = 'offers'
const BADGE = '1'
const iconUrl = (): string => browser.runtime.getURL('/icon/128.png')

async function readOffers(): Promise<Record<string, PendingOffer>> {
  const stored = await browser.storage.session.get(KEY)
  return (stored[KEY] as Record<string, PendingOffer> | undefined) ?? {}
}

const isOpen = (at: number): boolean => Date.now() - at < OFFERED_FOR

const changeOffers = (change: (offers: Record<string, PendingOffer>) => void): Promise<void> =>
  navigator.locks.request('offers', async () => {
    const offers = await readOffers()
    for (const [tabId, { at }] of Object.entries(offers)) if (!isOpen(at)) delete offers[tabId]
    change(offers)
    await browser.storage.session.set({ [KEY]: offers })
  })

export async function offerOf(tabId: number): Promise<PendingOffer | undefined> {
  const offer = (await readOffers())[tabId]
  return offer && isOpen(offer.at) ? offer : undefined
}

/**
 * The tab of an offer, or another one that shows its site if that one is closed or moved on. Without access to a tab,
 * the browser hides where it is. Undefined if there is none.
 */
async function tabFor({ tabId, origin }: Pick<Fill, 'tabId' | 'origin'>): Promise<number | undefined> {
  const tabs = await browser.tabs.query({})
  const showing = tabs.filter(({ url }) => URL.parse(url ?? '')?.origin === origin)
  const known = tabs.find((tab) => tab.id === tabId && (tab.url === undefined || showing.includes(tab)))
  return (known ?? showing[0])?.id
}

const isWeb = (link: string | null): link is string => /^https?:$/.test(URL.parse(link ?? '')?.protocol ?? '')

/**
 * Tells the visitor about a message to an address that was filled in on a site. If it may be for several sites, none of
 * them gets an offer.
 */
export async function makeOffer(message: MessageSummary, address: string): Promise<void> {
  const state = await readState()
  const { code } = message
  const link = isWeb(message.link) ? message.link : null
  if (code === null && link === null) return
  const fill = siteOf(state, address, message)
  if (!fill) {
    if (sitesOf(state, address, message).length > 0) await announce(message, state)
    return
  }
  const { origin, tabId, at } = fill
  const pending: PendingOffer = { address, origin, tabId, code, link, at }
  await changeOffers((offers) => void (offers[tabId] = pending))
  const { text } = await loadTexts(state.settings)
  const site = new URL(origin).host
  const canFill = code !== null && (await tabFor(fill)) !== undefined
  await Promise.allSettled([
    browser.action.setBadgeBackgroundColor({ color: '#f0a437' }),
    browser.notifications.create(`offer ${tabId}`, {
      type: 'basic',
      iconUrl: iconUrl(),
      title: code === null ? text('extension.linkFor', { site }) : text('extension.codeFor', { site, code }),
      message: canFill ? text('extension.codeClick') : code === null ? text('extension.linkClick') : message.subject,
    }),
    showIn(tabId),
  ])
}

/**
 * Shows a notification for a message that may be for several sites. On each of them, the popup can fill in its code.
 */
async function announce({ id, from, subject, code }: MessageSummary, { settings }: State): Promise<void> {
  const { text } = await loadTexts(settings)
  const sender = senderName(from)
  await browser.notifications.create(`message ${id}`, {
    type: 'basic',
    iconUrl: iconUrl(),
    title: code === null ? text('inbox.new', { sender, subject }) : text('inbox.newCode', { sender, code }),
    message: subject,
  })
}

/** Shows the offer of a tab in its page, if there is one. The page checks its own origin once more. */
export async function showIn(tabId: number): Promise<void> {
  const pending = await offerOf(tabId)
  if (!pending) return
  const { origin, code, link } = pending
  // A navigation clears the badge.
  await browser.action.setBadgeText({ tabId, text: BADGE }).catch(() => {})
  const { settings } = await readState()
  const { text, language } = await loadTexts(settings)
  const frames = (await framesOf(tabId)).filter((frame) => frame.origin === origin)
  if (frames.length === 0) return
  const texts = {
    fillCode: text('extension.fillCode', { code: code ?? '' }),
    openLink: link === null ? '' : text('link.openHost', { host: new URL(link).host }),
    direction: language.dir,
  }
  await browser.scripting.executeScript({
    target: { tabId, frameIds: frames.map(({ frameId }) => frameId) },
    func: (shown: Parameters<NonNullable<typeof globalThis.mayfly>['showOffer']>[0]) =>
      globalThis.mayfly?.showOffer(shown),
    args: [{ origin, code, link: link !== null, texts }],
  })
}

export async function endOffer(tabId: number): Promise<void> {
  await changeOffers((offers) => void delete offers[tabId])
  await Promise.allSettled([
    browser.action.setBadgeText({ tabId, text: '' }),
    browser.notifications.clear(`offer ${tabId}`),
  ])
}

/**
 * Opens the confirmation link in the tab where the address was filled in, or in a new one if that is closed or shows
 * something else by now, which the visitor may still need.
 */
export async function openLink(url: string, fill?: Pick<Fill, 'tabId' | 'origin'>): Promise<void> {
  if (!isWeb(url)) return
  const frames = fill ? await framesOf(fill.tabId).catch(() => []) : []
  if (fill && frames.some(({ origin }) => origin === fill.origin))
    await browser.tabs.update(fill.tabId, { url, active: true })
  else await browser.tabs.create({ url })
}

/** Applies the offer that the visitor accepted: fills in the code, or opens the link. */
export async function accept(tabId: number): Promise<void> {
  const pending = await offerOf(tabId)
  if (!pending) return
  if (pending.code === null && pending.link !== null) await openLink(pending.link, pending)
  else if (pending.code !== null) {
    const target = await tabFor(pending)
    if (target === undefined) return
    const tab = await browser.tabs.update(target, { active: true }).catch(() => undefined)
    if (tab?.windowId !== undefined) await browser.windows.update(tab.windowId, { focused: true })
    if ((await fillCodeIn(target, pending.origin, pending.code)) !== 'filled') return
  }
  await endOffer(tabId)
}

export const offerTabOf = (notification: string): number | undefined => {
  const [, id] = /^offer (-?\d+)$/.exec(notification) ?? []
  return id === undefined ? undefined : Number(id)
}
