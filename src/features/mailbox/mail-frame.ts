import { frameCsp } from '#mail/html/frame-csp.ts'
import { MEASURE_FRAME, measureFrameCsp } from '#mail/html/measure-frame.ts'
import { PDF_CSP, PDF_FRAME } from '#mail/html/pdf-frame.ts'
import { PRIVATE_FRAME, privateFrameCsp } from '#mail/html/private-frame.ts'
import type { OpenAddress } from './claims.ts'
import type { Messages } from './messages.ts'

export interface MailFrame {
  html: string | Uint8Array
  /** The Content-Security-Policy that the document must be served with. */
  csp: string
}

export interface FrameRequest {
  view: 'html' | 'text'
  /** The index of an attached image that is shown instead of the message. */
  image?: number | undefined
  /** Whether to load remote images through the proxy. The frame has no origin, so the URL of the proxy is absolute. */
  remote: boolean
}

/** The Content-Security-Policy for the sanitized HTML of a message, without remote content. */
export const MAIL_CSP = frameCsp(false)

/** Returns the document that shows a message in its sandboxed frame. Throws `message_not_found`. */
export async function mailFrame(
  messages: Messages,
  open: OpenAddress,
  id: string,
  request: FrameRequest,
): Promise<MailFrame> {
  const { image } = request
  const html = await (image === undefined ? messages.frame(open, id, request) : messages.image(open, id, image))
  return { html, csp: frameCsp(request.remote) }
}

/** Returns the frame in which a page shows a message that the browser opened itself. */
export const privateFrame = ({ remote }: Pick<FrameRequest, 'remote'>): MailFrame => ({
  html: PRIVATE_FRAME,
  csp: privateFrameCsp(remote),
})

/** Returns the frame in which a page measures a message. */
export const measureFrame = ({ remote }: Pick<FrameRequest, 'remote'>): MailFrame => ({
  html: MEASURE_FRAME,
  csp: measureFrameCsp(remote),
})

/** Returns the frame in which a page shows a PDF. */
export const pdfFrame = (): MailFrame => ({ html: PDF_FRAME, csp: PDF_CSP })
