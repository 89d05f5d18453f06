import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ExtensionBrowser } from './browser.ts'

interface Tab {
  id: number
  url: string
}

/** The API in the background. Its events have a method that Chromium's types don't list. */
export interface BackgroundApi {
  tabs: { query(of: object): Promise<Tab[]>; get(id: number): Promise<Tab> }
  commands: { onCommand: { dispatch(name: string, tab: Tab): void } }
  notifications: { onClicked: { dispatch(id: string): void } }
  action: { getBadgeText(of: { tabId: number }): Promise<string> }
  storage: { local: { get(key: null): Promise<Record<string, any>>; set(items: object): Promise<void> } }
}
declare const chrome: BackgroundApi

/** What a visitor does with the extension, and what the extension keeps. */
export interface Stage {
  visit(url: string): Promise<Page>
  /** The tab of a page, which becomes the active one. */
  tabOf(page: Page): Promise<Tab>
  /** What the keyboard shortcut does. */
  pressShortcut(page: Page): Promise<void>
  /** Fills in the address by the shortcut, and returns it. */
  addressFilled(page: Page): Promise<string>
  /** Resolves with the number of the page's tab when the extension has a code or a link for it. */
  awaitOffer(page: Page): Promise<number>
  /** The popup above a page. The tab is given, because here the popup is a tab itself. */
  openPopup(page: Page): Promise<Page>
  /** A click where the offer of a code is: below the first field that matches. */
  clickBelow(page: Page, field: string): Promise<void>
  /** Turns marks on, and resolves when the page has one. */
  turnMarksOn(page: Page): Promise<void>
  /** What a hostile page does with the marks: it moves them to where nobody sees them. */
  veilMarks(page: Page): Promise<void>
  /** A click where the account page asks about the connection: in a closed shadow tree at its top. */
  clickConnect(account: Page): Promise<void>
  stateOf(): Promise<any>
  /** Changes settings. */
  change(settings: object): Promise<void>
}

export function stageOf(browser: ExtensionBrowser): Stage {
  const tabOf = async (page: Page): Promise<Tab> => {
    await page.bringToFront()
    const [tab] = await browser.background(() => chrome.tabs.query({ active: true, lastFocusedWindow: true }), null)
    return tab!
  }
  const change: Stage['change'] = (settings) =>
    browser.background(async (changed) => {
      const { state } = await chrome.storage.local.get(null)
      await chrome.storage.local.set({ state: { ...state, settings: { ...state.settings, ...changed } } })
    }, settings)
  const pressShortcut: Stage['pressShortcut'] = async (page) => {
    await browser.background((tab) => chrome.commands.onCommand.dispatch('fill', tab), await tabOf(page))
  }
  return {
    tabOf,
    pressShortcut,
    async addressFilled(page) {
      await pressShortcut(page)
      const got = async () => (await page.locator('#got').textContent()) ?? ''
      await expect.poll(got).toContain('@')
      return got()
    },
    async awaitOffer(page) {
      const { id } = await tabOf(page)
      await expect.poll(() => browser.background((tabId) => chrome.action.getBadgeText({ tabId }), id)).toBe('1')
      return id
    },
    veilMarks: (page) =>
      page.evaluate(() => {
        const veil = document.createElement('div')
        veil.style.opacity = '0'
        veil.append(document.querySelector('html > div')!)
        document.body.append(veil)
      }),
    async clickConnect(account) {
      const { width } = account.viewportSize()!
      await account.mouse.click(width / 2 + Math.min(560, width - 32) / 2 - 160, 40)
    },
    async turnMarksOn(page) {
      await change({ marks: true })
      await expect
        .poll(
          async () => {
            await page.reload()
            return page.locator('html > div').count()
          },
          { interval: 300 },
        )
        .toBe(1)
    },
    async visit(url) {
      const page = await browser.context.newPage()
      await page.goto(url)
      return page
    },
    async openPopup(page) {
      const tab = await tabOf(page)
      const popup = await browser.context.newPage()
      await popup.addInitScript((active) => void (chrome.tabs.query = async () => [active]), tab)
      await popup.goto(`chrome-extension://${browser.id}/popup.html`)
      return popup
    },
    async clickBelow(page, field) {
      const box = (await page.locator(field).first().boundingBox())!
      await page.mouse.click(box.x + 20, box.y + box.height + 20)
    },
    stateOf: () => browser.background(async () => (await chrome.storage.local.get(null)).state, null),
    change,
  }
}
