import type { LanguageOfferJson, PagePayload } from './pages.ts'

/** What the server entry of the web build returns. */
export interface RenderedPage {
  status: number
  html: string
}

/** The server entry of the web build exports this as `render`. */
export type RenderPage = (payload: PagePayload, context: RenderContext) => Promise<RenderedPage>

/** The texts that offer a language, in that language. The server entry exports this as `offerTexts`. */
export type OfferTexts = (code: string) => Omit<LanguageOfferJson, 'code'>

/** What the manifest of the installed site says in a language. The server entry exports this as `manifestTexts`. */
export type ManifestTexts = (code: string) => {
  /** Shortcuts of the app. */
  copy: string
  change: string
  /** What its pictures show. */
  picture: string
}

export interface RenderContext {
  /** Such as `https://mayfly.example`, without a slash at the end. */
  publicUrl: string
  /**
   * Whether the document contains the styles, so that the first paint waits for nothing else. Otherwise it links to them.
   */
  inlineStyles?: boolean
}
