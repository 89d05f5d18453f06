import { createHash } from 'node:crypto'
import { FRAME_SANDBOX } from './frame.ts'

interface Frame {
  sandbox: string
  /** The script of the document, the only one that runs. Without it, none does. */
  script?: string
  /** Whether images may come from the proxy of the site. */
  remote: boolean
}

/** The Content-Security-Policy of a document that gets a message: nothing else is loaded, and nothing is submitted. */
export const documentCsp = ({ sandbox, script, remote }: Frame): string =>
  [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`]),
    `img-src data:${remote ? " 'self'" : ''}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    `sandbox ${sandbox}`,
  ].join('; ')

/**
 * The Content-Security-Policy of the frame. Anything that the sanitizer has missed can neither run, load nor submit.
 */
export const frameCsp = (remote: boolean): string => documentCsp({ sandbox: FRAME_SANDBOX, remote })
