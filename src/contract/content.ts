import type { ExtensionBrowser } from '#core/extension-browser.ts'

/** A text of the site in one language, as the payload of its page carries it. */
export interface TextJson {
  title: string
  description: string
  /** Separated by commas. */
  keywords: string
  /** When it was last changed: `YYYY-MM-DD`. */
  updated: string
  /**
   * Safe HTML from our own Markdown, with headings from `h2` down. Omitted from the payload inside a document, which
   * contains the HTML already.
   */
  html: string
}

/** A question with its answer as HTML. */
export interface QuestionJson {
  id: string
  question: string
  html: string
}

export interface FaqJson extends TextJson {
  questions: QuestionJson[]
}

/** An article in a list. `date` and `updated` are `YYYY-MM-DD`; `minutes` is the reading time. */
export interface ArticleLinkJson {
  slug: string
  title: string
  description: string
  date: string
  updated: string
  minutes: number
}

export interface ArticleJson extends TextJson, ArticleLinkJson {}

/** The page about the installed app. */
export interface AppsData {
  text: TextJson
  /** The browser extension, built for these browsers. */
  extension: ExtensionBrowser[]
}
