import PostalMime, { type Email } from 'postal-mime'
import { fromUtf8, toLatin1 } from '../bytes.ts'
import { charsetOf } from './charset.ts'
import { withReadableHead } from './head.ts'
import { discard, type PartDecoder, partDecoder } from './part-decoders.ts'
import { decodeUtf7, isUtf7 } from './utf7.ts'
import { ParseLimitError, type ParseWork } from './work.ts'

/** What this file knows of postal-mime's inside: its loop over the lines, its nodes, and where a part becomes text. */
interface Inside {
  started: boolean
  buf: ArrayBufferLike
  av: Uint8Array
  root: Node
  currentNode: Node
  boundaries: unknown[]
  forceRfc822Attachments: boolean
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>
  finalize(): Promise<void>
  isInlineTextNode(node: Node): boolean
  collectNode(node: Node, alternative: unknown, related: boolean): Promise<void>
  renderTextContent(): void
  buildMessage(): Email
}
interface Node {
  state: 'header' | 'body' | 'finished'
  contentType: { parsed: { value: string; params: Record<string, string> }; multipart: string | false }
  contentDisposition: { parsed: { params: Record<string, string> } }
  parentNode?: Node
  childNodes: Node[]
  content: ArrayBufferLike | null
  contentDecoder: PartDecoder | null
  postalMime: Inside
  feed(line: Uint8Array): void
  setupContentDecoder(encoding: string): void
}

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d
/** Lines between two looks at the time. */
const LINES_AT_ONCE = 1024

const works = new WeakMap<Inside, ParseWork>()

// Those of postal-mime make a Blob of a part for each of its lines, which takes a thousand times as long as the parsing.
const nodes = Object.getPrototypeOf((new PostalMime() as unknown as Inside).root) as Node
nodes.setupContentDecoder = function setupContentDecoder(this: Node, encoding: string): void {
  const { parsed, multipart } = this.contentType
  this.contentDecoder = multipart ? discard : partDecoder(encoding, works.get(this.postalMime)?.keep(parsed.value))
}

/**
 * Whether a text in the mail is a file in its own right, for it has a name. Some mailers name the body, too: in its type, and the
 * body comes first.
 */
function isNamedFile(node: Node): boolean {
  const { parentNode, contentType, contentDisposition } = node
  if (!parentNode || parentNode.contentType.parsed.value === 'multipart/alternative') return false
  if (contentDisposition.parsed.params['filename']) return true
  return Boolean(contentType.parsed.params['name']) && parentNode.childNodes[0] !== node
}

/** RFC 5322 and MIME by postal-mime, without what is forwarded within. Throws for what is over the limits of the work. */
export async function parseMime(raw: Uint8Array, work: ParseWork): Promise<Email> {
  const { limits } = work
  const parser = new PostalMime({
    maxNestingDepth: limits.maxDepth,
    maxHeadersSize: limits.maxHeaderBytes,
    attachmentEncoding: 'arraybuffer',
  }) as unknown as Inside
  works.set(parser, work)
  const isInlineTextNode = parser.isInlineTextNode.bind(parser)
  parser.isInlineTextNode = (node) => isInlineTextNode(node) && !isNamedFile(node)
  const collectNode = parser.collectNode.bind(parser)
  parser.collectNode = (node, alternative, related) => {
    const { value, params } = node.contentType.parsed
    if (node.content && /^text\/|^application\/ics$/.test(value)) {
      params['charset'] = charsetOf(params['charset'], new Uint8Array(node.content))
      if (isUtf7(params['charset']) && parser.isInlineTextNode(node)) {
        node.content = fromUtf8(decodeUtf7(toLatin1(new Uint8Array(node.content)))).buffer
        params['charset'] = 'utf-8'
      }
    }
    return collectNode(node, alternative, related)
  }
  const bytes = withReadableHead(raw, limits.maxHeaderBytes)
  parser.started = true
  parser.av = bytes
  parser.buf = bytes.buffer
  await readLines(parser, bytes, work)
  parser.forceRfc822Attachments = true
  await parser.collectNode(parser.root, false, false)
  parser.renderTextContent()
  return parser.buildMessage()
}

/** Gives the parser header lines and boundaries one by one, and bodies in one piece. */
async function readLines(parser: Inside, bytes: Uint8Array, work: ParseWork): Promise<void> {
  let parts = 0
  let lines = 0
  const count = (): void => {
    if (++lines % LINES_AT_ONCE === 0) work.look()
    if (lines > work.limits.maxLines) throw new ParseLimitError(`Over ${work.limits.maxLines} lines`)
  }
  for (let at = 0; at < bytes.length;) {
    const node = parser.currentNode
    if (isBoundary(parser, bytes, at)) {
      count()
      const end = lineEnd(bytes, at)
      await parser.processLine(withoutBreak(bytes, at, end), false)
      const begun = parser.currentNode !== node && parser.currentNode.state === 'header'
      if (begun && ++parts > work.limits.maxParts) throw new ParseLimitError(`Over ${work.limits.maxParts} parts`)
      at = end
    } else if (node.state === 'header') {
      count()
      const end = lineEnd(bytes, at)
      node.feed(withoutBreak(bytes, at, end))
      at = end
    } else {
      let end = at
      // Of what is only counted nobody needs the lines.
      if (node.contentDecoder?.full) {
        count()
        end = nextDashes(bytes, lineEnd(bytes, at))
      } else {
        do {
          count()
          end = lineEnd(bytes, end)
        } while (end < bytes.length && !isBoundary(parser, bytes, end))
      }
      node.contentDecoder?.update(bytes.subarray(at, end))
      at = end
    }
  }
  await parser.finalize()
}

/** Whether a line may be a boundary (RFC 2046 5.1.1): the parser knows. */
const isBoundary = ({ boundaries }: Inside, bytes: Uint8Array, at: number): boolean =>
  bytes[at] === DASH && bytes[at + 1] === DASH && boundaries.length > 0

/** The first line from `at` on that begins with two dashes; where a browser reads, the next line. */
function nextDashes(bytes: Uint8Array, at: number): number {
  if (typeof Buffer === 'undefined' || at === bytes.length) return at
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('\n--', at - 1, 'latin1')
  return found === -1 ? bytes.length : found + 1
}

/** The index behind the line. */
function lineEnd(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(LF, at)
  return end === -1 ? bytes.length : end + 1
}

function withoutBreak(bytes: Uint8Array, start: number, end: number): Uint8Array {
  let stop = end
  while (stop > start && (bytes[stop - 1] === LF || bytes[stop - 1] === CR)) stop--
  return bytes.subarray(start, stop)
}
