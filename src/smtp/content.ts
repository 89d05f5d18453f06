const CR = 0x0d
const LF = 0x0a
const SPACE = 0x20
const TAB = 0x09
const DOT = 0x2e
const COLON = 0x3a
const DEL = 0x7f
const CRLF = Buffer.from('\r\n')
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
const SHORT_LINE = 12

interface Inspection {
  /** Whether the message needs `rewrite`. If true, the other fields are 0. */
  unclean: boolean
  /** Bytes of the header section: before the empty line or the text that ends it, or all bytes. */
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
 *
 * A header section may lack the empty line that ends it. Lines that are no header fields are then its text: those after
 * the last field before the first empty line, or if no line is empty, all from the first one on. A line with fields and
 * an empty line after it is only damaged, and part of the section.
 */
export function inspect(message: Buffer, start: number, stuffed: boolean): Inspection {
  let headerBytes = -1
  let longestLine = 0
  let hops = 0
  /** The first line of the message, and the first one after the last field, that is no header field. */
  let [firstText, lastText] = [-1, -1]
  let hopsBeforeText = 0
  for (let line = start; line < message.length;) {
    // indexOf is fastest for long lines, a loop for the millions of short lines of a message that is made to be slow.
    let position = line
    while (position < line + SHORT_LINE && (message[position] ?? 0) > CR) position++
    const cr = message[position] === CR ? position : message.indexOf(CR, position)
    if (cr === -1 || message[cr + 1] !== LF || (cr > position && message.indexOf(LF, position) < cr)) return UNCLEAN
    if (stuffed && message[line] === DOT) return UNCLEAN
    if (cr - line > longestLine) longestLine = cr - line
    if (headerBytes === -1) {
      // White space at the start would continue the trace header.
      if (line === start && isSpace(message[line])) headerBytes = 0
      else if (cr === line) headerBytes = (lastText === -1 ? line : lastText) - start
      else if (line === start ? beginsHeader(message, line) : isField(message, line)) {
        lastText = -1
        if (isReceived(message, line)) hops++
      } else if (lastText === -1 && !isSpace(message[line])) {
        lastText = line
        if (firstText === -1) [firstText, hopsBeforeText] = [line, hops]
      }
    }
    line = cr + 2
  }
  if (headerBytes === -1) {
    headerBytes = (firstText === -1 ? message.length : firstText) - start
    if (firstText !== -1) hops = hopsBeforeText
  }
  const next = message[start + headerBytes]
  return { unclean: false, headerBytes, unseparated: next !== undefined && next !== CR, longestLine, hops }
}

const isSpace = (byte: number | undefined): boolean => byte === SPACE || byte === TAB

/** Whether a line begins a header field: a name without spaces, and a colon (RFC 5322 2.2, and 4.5.8 for spaces before it). */
function isField(message: Buffer, line: number): boolean {
  let position = line
  for (let byte = message[line] ?? 0; byte > SPACE && byte < DEL && byte !== COLON;) byte = message[++position] ?? 0
  if (position === line) return false
  while (isSpace(message[position])) position++
  return message[position] === COLON
}

/**
 * Whether the first line of a message begins its header section. A byte order mark or a line of a mailbox file (RFC 4155)
 * may come before the first field.
 */
function beginsHeader(message: Buffer, line: number): boolean {
  const hasMark = BYTE_ORDER_MARK.equals(message.subarray(line, line + BYTE_ORDER_MARK.length))
  if (isField(message, hasMark ? line + BYTE_ORDER_MARK.length : line)) return true
  const isOfFile = /^>?From /.test(message.toString('latin1', line, line + 6))
  return isOfFile && isField(message, message.indexOf(LF, line) + 1)
}

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
