import type { TextJson } from './content.ts'

/** The page about the installed app. */
export interface AppsData {
  text: TextJson
  /** The browser extension, built for these browsers. */
  extension: ExtensionBrowser[]
}

export type ExtensionBrowser = 'chromium' | 'firefox'
