import { frameCsp } from '#mail/html/frame.ts'
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
  /** Whether remote images come through the proxy; the frame has no origin, so the proxy's URL is given whole. */
  remote: boolean
}

/** The document that shows a mail in its sandboxed frame. Throws `message_not_found`. */
export async function mailFrame(
  messages: Messages,
  open: OpenAddress,
  id: string,
  request: FrameRequest,
): Promise<MailFrame> {
  return { html: await messages.frame(open, id, request), csp: frameCsp(request.remote) }
}

/** The document in which a page shows mail that it opened itself. */
export const privateFrame = ({ remote }: Pick<FrameRequest, 'remote'>): MailFrame => ({
  html: PRIVATE_FRAME,
  csp: privateFrameCsp(remote),
})
