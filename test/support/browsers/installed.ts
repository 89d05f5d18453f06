import { globSync } from 'node:fs'
import { onPath } from '../program/browser.ts'
import { openChromium } from './chromium.ts'
import { openFirefox } from './firefox.ts'
import type { OpenBrowser } from './tab.ts'
import { openWebkit } from './webkit.ts'

interface KnownBrowser {
  name: string
  /** What to do if it is not installed. */
  missing: string
  /** Undefined if it is not installed. */
  open: (() => Promise<OpenBrowser>) | undefined
}

/** The browsers of the three engines. Only Chromium is always there. */
export function knownBrowsers(): KnownBrowser[] {
  const firefox = onPath('firefox-esr', 'firefox')
  const driver = onPath('WebKitWebDriver')
  const display = onPath('Xvfb')
  const [browser] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  return [
    { name: 'Chromium', missing: '', open: openChromium },
    {
      name: 'Firefox',
      missing: 'Firefox is not installed: apt-get install firefox-esr',
      open: firefox === undefined ? undefined : () => openFirefox(firefox),
    },
    {
      name: 'WebKit',
      missing: 'WebKit is not installed: apt-get install webkit2gtk-driver xvfb',
      open: driver && display && browser ? () => openWebkit({ driver, display, browser }) : undefined,
    },
  ]
}
