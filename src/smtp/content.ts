const CR = 0x0d
const LF = 0x0a
const SPACE = 0x20
const TAB = 0x09
const DOT = 0x2e
const COLON = 0x3a
const DEL = 0x7f
const CRLF = Buffer.from('\r\n')
const SHORT_LINE = 12

interface Inspection {
  /** Whether the message needs `rewrite`. If true, the other fields are 0. */
  unclean: boolean
  /** Bytes of the header section: before the first line that is empty or no header field, or all bytes. */
  headerBytes: number
  /** Whether text follows it without an empty line. */
  unseparated: boolean
  /** Bytes of the longest line without its CRLF. */
  longestLine: number
  /** Number of Received header fields. */
  hops: number
}

const UNCLEAN: Inspection = { unclean: true, headerBytes: 0, unseparated: false, longestLine: 0, hops: 0 }

/**
 * Inspects every line of a message from `start` on. The message is unclean if it has a bare CR or LF or, if `stuffed`
 * is true, a line that begins with a dot.
 */
export function inspect(message: Buffer, start: number, stuffed: boolean): Inspection {
  let headerBytes = -1
  let longestLine = 0
  let hops = 0
  for (let line = start; line < message.length;) {
    // indexOf is fastest for long lines, a loop for the millions of short lines of a message that is made to be slow.
    let position = line
    while (position < line + SHORT_LINE && (message[position] ?? 0) > CR) position++
    const cr = message[position] === CR ? position : message.indexOf(CR, position)
    if (cr === -1 || message[cr + 1] !== LF || (cr > position && message.indexOf(LF, position) < cr)) return UNCLEAN
    if (stuffed && message[line] === DOT) return UNCLEAN
    if (cr - line > longestLine) longestLine = cr - line
    if (headerBytes === -1) {
      if (!(line === start ? beginsHeader(message, line) : isOfHeader(message, line))) headerBytes = line - start
      else if (isReceived(message, line)) hops++
    }
    line = cr + 2
  }
  if (headerBytes === -1) headerBytes = message.length - start
  const next = message[start + headerBytes]
  return { unclean: false, headerBytes, unseparated: next !== undefined && next !== CR, longestLine, hops }
}

/** Whether a line begins a header field: a name without spaces, and a colon (RFC 5322 2.2, and 4.5.8 for spaces before it). */
function isField(message: Buffer, line: number): boolean {
  let position = line
  for (let byte = message[line] ?? 0; byte > SPACE && byte < DEL && byte !== COLON;) byte = message[++position] ?? 0
  if (position === line) return false
  while (message[position] === SPACE || message[position] === TAB) position++
  return message[position] === COLON
}

/** Whether a line is part of a header section, after its first line. */
const isOfHeader = (message: Buffer, line: number): boolean =>
  message[line] === SPACE || message[line] === TAB || isField(message, line)

/** Whether the first line of a message is part of its header section. It may be a line of a mailbox file (RFC 4155). */
const beginsHeader = (message: Buffer, line: number): boolean =>
  isField(message, line) ||
  (/^>?From /.test(message.toString('latin1', line, line + 6)) && isField(message, message.indexOf(LF, line) + 1))

function isReceived(message: Buffer, position: number): boolean {
  // The check of the first letter avoids creating a string for nearly every line.
  return (
    ((message[position] ?? 0) | 0x20) === 0x72 &&
    /^received[ \t]*:/i.test(message.toString('latin1', position, position + 16))
  )
}

/**
 * Returns a message in which, from `start` on, dot stuffing is undone (RFC 5321 4.5.2) and every line ends with CRLF. A
 * bare LF becomes CRLF, CRs before a line end are removed, and any other sequence of CRs becomes spaces. A server that
 * later gets the message from Mayfly therefore finds the same end of data and the same headers as Mayfly. A dot is
 * unstuffed only after a CRLF, because only there the sender has stuffed it. Only a message with a bare LF can get longer
 * and is copied. Any other is changed in place, so that the largest message needs its memory only once.
 */
export function rewrite(message: Buffer, start: number): Buffer {
  const bareLfs = countBareLf(message, start)
  const result = bareLfs === 0 ? message : Buffer.allocUnsafeSlow(message.length + bareLfs + CRLF.length)
  message.copy(result, 0, 0, start)
  let length = start
  let afterCrlf = true
  for (let position = start; position < message.length; position++) {
    const byte = message[position] ?? 0
    if (byte === LF) {
      afterCrlf = message[position - 1] === CR
      result[length++] = CR
      result[length++] = LF
      continue
    }
    if (byte === CR) {
      let next = position + 1
      while (message[next] === CR) next++
      if (message[next] !== LF) result.fill(SPACE, length, (length += next - position))
      position = next - 1
    } else if (byte !== DOT || !afterCrlf) {
      result[length++] = byte
    }
    afterCrlf = false
  }
  return result.subarray(0, length)
}

/**
 * Returns a message with an empty line at `position`. It uses the two bytes of memory after the message, where its end of
 * data was, or which `rewrite` left.
 */
export function separate(message: Buffer, position: number): Buffer {
  const longer = Buffer.from(message.buffer, message.byteOffset, message.length + CRLF.length)
  longer.copyWithin(position + CRLF.length, position, message.length)
  CRLF.copy(longer, position)
  return longer
}

function countBareLf(message: Buffer, start: number): number {
  let count = 0
  for (let position = start; position < message.length; position++)
    if (message[position] === LF && message[position - 1] !== CR) count++
  return count
}
