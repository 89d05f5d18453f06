/** What a path or its parameters may be wrong about; each is answered with its own reply. */
export type PathFault = 'syntax' | 'needs-smtputf8' | 'too-long'

export interface Path {
  /** The mailbox as written, without angle brackets and source route; empty for `<>`. */
  mailbox: string
  /** Whether the domain is an address literal (RFC 5321 4.1.3). */
  literal: boolean
  /** ESMTP parameters; the keyword in upper case, `true` where it has no value. */
  parameters: Map<string, string | true>
}

/** Splits a command line (RFC 5321 4.1.1): the verb in upper case, and what follows it. */
export function splitCommand(line: string): { verb: string; argument: string } {
  const space = line.indexOf(' ')
  if (space === -1) return { verb: line.trimEnd().toUpperCase(), argument: '' }
  return { verb: line.slice(0, space).toUpperCase(), argument: line.slice(space + 1).trim() }
}

// RFC 5321 4.1.2 with the non-ASCII characters of RFC 6531 3.3. Dots may stand anywhere in a local part and underscores
// in a domain: mail from such addresses exists, and refusing it would help nobody.
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
/** RFC 5321 4.1.2 esmtp-param */
const PARAMETER = /^([a-z0-9][a-z0-9-]*)(?:=([!-<>-~]+))?$/i

/** RFC 5321 4.5.3.1.3, with the angle brackets. */
const PATH_MAX_BYTES = 256

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads the argument of MAIL (`FROM:<reverse-path> …`) or RCPT (`TO:<forward-path> …`), given as Latin-1.
 * `smtputf8`: whether this transaction may have addresses in UTF-8; in MAIL its own parameter says so.
 */
export function parsePath(keyword: 'FROM' | 'TO', argument: string, smtputf8?: boolean): Path | PathFault {
  const text = decode(argument)
  const match = text === undefined ? null : PATH.exec(text)
  const { mailbox = '', literal, rest = '' } = match?.groups ?? {}
  if (match?.groups?.['keyword']?.toUpperCase() !== keyword) return 'syntax'
  const path = text?.slice(text.indexOf('<'), text.length - rest.length) ?? ''
  if (keyword === 'FROM' && Buffer.byteLength(path) > PATH_MAX_BYTES) return 'too-long'
  const parameters = parseParameters(rest)
  if (!parameters) return 'syntax'
  // oxlint-disable-next-line no-control-regex -- ASCII is what is asked about
  if (!(smtputf8 ?? parameters.has('SMTPUTF8')) && /[^\x00-\x7f]/.test(mailbox)) return 'needs-smtputf8'
  return { mailbox, literal: literal !== undefined, parameters }
}

/** UTF-8 out of Latin-1; undefined where it isn't UTF-8. */
function decode(latin1: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- ASCII is what is asked about
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
