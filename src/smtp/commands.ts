/** Errors in a path or its parameters. Each has its own reply. */
export type PathFault = 'syntax' | 'needs-smtputf8' | 'too-long'

export interface Path {
  /** The mailbox as written, without angle brackets and source route; empty for `<>`, which only MAIL may have. */
  mailbox: string
  /** Whether the domain is an address literal (RFC 5321 4.1.3). */
  literal: boolean
  /** ESMTP parameters by keyword in upper case. The value is `true` if the parameter has none. */
  parameters: Map<string, string | true>
}

/** Commands of HTTP clients, often browsers that a web page made connect (Postfix's smtpd_forbidden_commands). */
export const HTTP_VERBS = new Set(['CONNECT', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])

const MAX_HELO_LENGTH = 255

/** Returns the name in the argument of HELO or EHLO; undefined if there is none or it is too long. */
export function helloName(argument: string): string | undefined {
  const [name = ''] = argument.split(' ', 1)
  return name === '' || name.length > MAX_HELO_LENGTH ? undefined : name
}

/** Splits a command line (RFC 5321 4.1.1) into the verb in upper case and its argument. */
export function splitCommand(line: string): { verb: string; argument: string } {
  const space = line.indexOf(' ')
  if (space === -1) return { verb: line.trimEnd().toUpperCase(), argument: '' }
  return { verb: line.slice(0, space).toUpperCase(), argument: line.slice(space + 1).trim() }
}

// The syntax of RFC 5321 4.1.2 with the non-ASCII characters of RFC 6531 3.3. A local part may have dots anywhere, and
// a domain may have underscores, because such addresses are in use.
const ATEXT = "[\\w!#$%&'*+/=?^`{|}~\\u0080-\\u{10ffff}-]"
const LOCAL = `(?:${ATEXT}|\\.)+`
const QUOTED = '"(?:[ !#-\\[\\]-~\\u0080-\\u{10ffff}]|\\\\[ -~])*"'
const LABEL = '[\\w\\u0080-\\u{10ffff}](?:[\\w\\u0080-\\u{10ffff}-]*[\\w\\u0080-\\u{10ffff}])?'
const DOMAIN = `${LABEL}(?:\\.${LABEL})*\\.?`
const LITERAL = '\\[[\\w:.-]+\\]'
const ROUTE = `@${DOMAIN}(?:,@${DOMAIN})*:`
const PATH = new RegExp(
  `^(?<keyword>FROM|TO): *<(?:${ROUTE})?(?<mailbox>|(?:${LOCAL}|${QUOTED})(?:@(?:${DOMAIN}|(?<literal>${LITERAL})))?)>(?<rest>| .*)$`,
  'iu',
)
/** `esmtp-param` of RFC 5321 4.1.2. */
const PARAMETER = /^([a-z0-9][a-z0-9-]*)(?:=([!-<>-~]+))?$/i

/** RFC 5321 4.5.3.1.3. Includes the angle brackets. */
const PATH_MAX_BYTES = 256

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses the argument of MAIL (`FROM:<reverse-path> …`) or RCPT (`TO:<forward-path> …`), given as Latin-1. `smtputf8`
 * is whether the transaction allows addresses in UTF-8. For MAIL it is undefined, and the SMTPUTF8 parameter decides.
 */
export function parsePath(keyword: 'FROM' | 'TO', argument: string, smtputf8?: boolean): Path | PathFault {
  const text = decode(argument)
  const match = text === undefined ? null : PATH.exec(text)
  const { mailbox = '', literal, rest = '' } = match?.groups ?? {}
  if (match?.groups?.['keyword']?.toUpperCase() !== keyword) return 'syntax'
  if (keyword === 'TO' && mailbox === '') return 'syntax'
  const path = text?.slice(text.indexOf('<'), text.length - rest.length) ?? ''
  if (keyword === 'FROM' && Buffer.byteLength(path) > PATH_MAX_BYTES) return 'too-long'
  const parameters = parseParameters(rest)
  if (!parameters) return 'syntax'
  // oxlint-disable-next-line no-control-regex -- matches ASCII on purpose
  if (!(smtputf8 ?? parameters.has('SMTPUTF8')) && /[^\x00-\x7f]/.test(mailbox)) return 'needs-smtputf8'
  return { mailbox, literal: literal !== undefined, parameters }
}

/** Decodes the bytes of a Latin-1 string as UTF-8. Undefined if they are not UTF-8. */
function decode(latin1: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- matches ASCII on purpose
  if (/^[\x00-\x7f]*$/.test(latin1)) return latin1
  try {
    return utf8.decode(Buffer.from(latin1, 'latin1'))
  } catch {
    return undefined
  }
}

function parseParameters(text: string): Path['parameters'] | undefined {
  const parameters = new Map<string, string | true>()
  for (const word of text.split(' ')) {
    if (word === '') continue
    const [, keyword, value = true] = PARAMETER.exec(word) ?? []
    if (keyword === undefined || parameters.has(keyword.toUpperCase())) return undefined
    parameters.set(keyword.toUpperCase(), value)
  }
  return parameters
}
