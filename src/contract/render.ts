import type { PagePayload } from './pages.ts'

/** What the server entry of the web build returns. */
export interface RenderedPage {
  status: number
  html: string
}

/** The server entry of the web build exports this as `render`. */
export type RenderPage = (payload: PagePayload, context: RenderContext) => Promise<RenderedPage>

export interface RenderContext {
  /** Such as `https://mayfly.example`, without a slash at the end. */
  publicUrl: string
  /**
   * Whether the document contains the styles, so that the first paint waits for nothing else. Otherwise it links to them.
   */
  inlineStyles?: boolean
}
