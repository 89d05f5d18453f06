import { vi } from 'vitest'
import { PATIENCE } from '../program/patience.ts'
import type { Tab } from './tab.ts'

const SELECTORS = {
  button: 'button',
  checkbox: 'input[type=checkbox]',
  link: 'a[href]',
  textbox: 'input:not([type=checkbox]), textarea',
}

type Role = keyof typeof SELECTORS

/** A person at a tab. Every step waits until it is possible. */
export interface BrowserVisitor {
  goto(path: string): Promise<void>
  click(role: Role, name: string): Promise<void>
  fill(name: string, text: string): Promise<void>
  /** Waits until the page shows a text. */
  sees(text: string): Promise<void>
  /** Waits for an element and resolves with its visible text. */
  textOf(selector: string): Promise<string>
  /** Waits until the message in the frames shows a text. */
  reads(text: string): Promise<void>
  /** Waits until the clipboard has a text that matches, and resolves with the text. */
  clipboard(pattern: RegExp): Promise<string>
  /** Deletes the cookies. */
  forget(): Promise<void>
}

/** The element with this accessible name that is visible, enabled and not behind a modal dialog. Runs in the page. */
function find({ selector, name }: { selector: string; name: string }): Element | undefined {
  const plain = (text: string): string =>
    text
      .replaceAll(/[\u2066-\u2069]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  // The label of a field may have more words, such as "(optional)".
  const isNamed = (element: HTMLElement): boolean => {
    const [label] = (element as HTMLInputElement).labels ?? []
    if (label) return plain(label.textContent).startsWith(name)
    return plain(element.getAttribute('aria-label') ?? element.textContent) === name
  }
  const root = document.querySelector(':modal') ?? document
  return [...root.querySelectorAll<HTMLElement>(selector)].find(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.matches(':disabled, [aria-disabled]') &&
      isNamed(element),
  )
}

/** A field to paste into. Runs in the page. */
function pasteField(): Element {
  const field = document.querySelector('#pasted') ?? document.createElement('textarea')
  field.id = 'pasted'
  ;(field as HTMLTextAreaElement).value = ''
  // Nothing may cover it.
  ;(field as HTMLTextAreaElement).style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 9'
  // Behind a modal dialog it would be inert.
  const place = document.querySelector(':modal') ?? document.body
  place.prepend(field)
  return field
}

export function visitorAt(tab: Tab, site: string): BrowserVisitor {
  const until = <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, { timeout: PATIENCE, interval: 50 })
  const shown = (): Promise<string> => tab.evaluate(() => document.body.innerText, null)
  const expectText = async (text: string, read: () => Promise<string>): Promise<void> => {
    const all = await read()
    if (!all.includes(text)) throw new Error(`“${text}” is not in: ${all}`)
  }
  const click: BrowserVisitor['click'] = (role, name) =>
    until(() => tab.click(find, { selector: SELECTORS[role], name }))
  return {
    goto: (path) => tab.goto(new URL(path, site).href),
    click,
    async fill(name, text) {
      await click('textbox', name)
      await tab.type(text)
    },
    sees: (text) => until(() => expectText(text, shown)),
    textOf: (selector) =>
      until(async () => {
        const text = await tab.evaluate((at) => document.querySelector<HTMLElement>(at)?.innerText, selector)
        if (!text) throw new Error(`${selector} has no text`)
        return text
      }),
    reads: (text) => until(() => expectText(text, () => tab.textOfFrames())),
    clipboard: (pattern) =>
      until(async () => {
        await tab.click(pasteField, null)
        await tab.paste()
        const text = await tab.evaluate(() => {
          const field = document.querySelector<HTMLTextAreaElement>('#pasted')
          return field?.value ?? ''
        }, null)
        if (!pattern.test(text)) throw new Error(`The clipboard has “${text}”`)
        await tab.evaluate(() => document.querySelector('#pasted')?.remove(), null)
        return text
      }),
    forget: () => tab.forget(),
  }
}
