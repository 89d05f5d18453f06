const CR = 0x0d
const LF = 0x0a
const SPACE = 0x20
const DOT = 0x2e
const SHORT_LINE = 12

export interface Inspection {
  /** Whether `rewrite` must come first; the rest isn't known then. */
  unclean: boolean
  /** Bytes before the empty line; all of them where there is none. */
  headerBytes: number
  /** Bytes of the longest line without its CRLF. */
  longestLine: number
  /** Received header fields. */
  hops: number
}

const UNCLEAN: Inspection = { unclean: true, headerBytes: 0, longestLine: 0, hops: 0 }

/**
 * Looks at every line of a mail from `start` on. Unclean is a CR or LF that is no part of a CRLF and, if `stuffed`, a line
 * that begins with a dot.
 */
export function inspect(mail: Buffer, start: number, stuffed: boolean): Inspection {
  let headerBytes = -1
  let longestLine = 0
  let hops = 0
  for (let line = start; line < mail.length;) {
    // A long line is searched fastest by indexOf, millions of short ones (a mail made to be slow) by hand.
    let at = line
    while (at < line + SHORT_LINE && (mail[at] ?? 0) > CR) at++
    const cr = mail[at] === CR ? at : mail.indexOf(CR, at)
    if (cr === -1 || mail[cr + 1] !== LF || (cr > at && mail.indexOf(LF, at) < cr)) return UNCLEAN
    if (stuffed && mail[line] === DOT) return UNCLEAN
    if (cr - line > longestLine) longestLine = cr - line
    if (headerBytes === -1) {
      if (cr === line) headerBytes = line - start
      else if (isReceived(mail, line)) hops++
    }
    line = cr + 2
  }
  return { unclean: false, headerBytes: headerBytes === -1 ? mail.length - start : headerBytes, longestLine, hops }
}

function isReceived(mail: Buffer, at: number): boolean {
  // The first letter first: it spares nearly every line the string.
  return ((mail[at] ?? 0) | 0x20) === 0x72 && /^received[ \t]*:/i.test(mail.toString('latin1', at, at + 16))
}

/**
 * A copy of a mail in which, from `start` on, dot stuffing is undone (RFC 5321 4.5.2) and every line ends in CRLF: a bare
 * LF becomes CRLF, CRs before a line end go, any other CR becomes a space. So nobody who gets this mail from us can see
 * an end of data, or a header, that we didn't. A line is stuffed only where a CRLF precedes it: what the sender says.
 */
export function rewrite(mail: Buffer, start: number): Buffer {
  const result = Buffer.allocUnsafeSlow(mail.length + countBareLf(mail, start))
  let length = mail.copy(result, 0, 0, start)
  let afterCrlf = true
  for (let at = start; at < mail.length; at++) {
    const byte = mail[at] ?? 0
    if (byte === LF) {
      result[length++] = CR
      result[length++] = LF
      afterCrlf = mail[at - 1] === CR
      continue
    }
    if (byte === CR) {
      let next = at + 1
      while (mail[next] === CR) next++
      if (mail[next] !== LF) result.fill(SPACE, length, (length += next - at))
      at = next - 1
    } else if (byte !== DOT || !afterCrlf) {
      result[length++] = byte
    }
    afterCrlf = false
  }
  return result.subarray(0, length)
}

function countBareLf(mail: Buffer, start: number): number {
  let count = 0
  for (let at = start; at < mail.length; at++) if (mail[at] === LF && mail[at - 1] !== CR) count++
  return count
}
