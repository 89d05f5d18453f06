/** The browsers for which the browser extension is built. */
export const EXTENSION_BROWSERS = ['chromium', 'firefox'] as const
export type ExtensionBrowser = (typeof EXTENSION_BROWSERS)[number]
