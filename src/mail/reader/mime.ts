import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { CR, LF } from '../bytes.ts'
import { bodyOf, firstText, type Text, type Texts, type TextType, withoutVersions } from './body.ts'
import { decodeText, metaCharset } from './charset.ts'
import { correctContentType, isCalendar, type TypedPart } from './content-type.ts'
import { decodeFlowed } from './flowed.ts'
import { isMessage } from './forwarded.ts'
import { fieldsLength, headReader, textCharsets } from './head.ts'
import { countLines } from './limits.ts'
import { multipartDecoder, type PartDecoder, partDecoder, uncutSize } from './part-decoders.ts'
import { ParseLimitError, type ParseWork } from './work.ts'

/**
 * The internals of postal-mime that this file uses: its state while reading lines, its nodes, and the conversion of
 * parts to text.
 */
interface Internals {
  started: boolean
  root: Node
  currentNode: Node
  boundaries: { value: Uint8Array }[]
  attachments: Attachment[]
  textMap: Map<Node, Texts>
  textTypes: Set<TextType>
  textContent: Partial<Record<TextType, string>>
  forceRfc822Attachments: boolean
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>
  finalize(): Promise<void>
  isInlineTextNode(node: Node): boolean
  collectNode(node: Node, alternative: Node | false, related: boolean): Promise<void>
  collectAttachment(node: Node, content: ArrayBuffer, related: boolean, isTooDeep: boolean): void
  addTextEntry(node: Node, type: TextType, item: Text & { type: 'text' }): void
  buildMessage(): Email
}
interface Node extends TypedPart {
  state: 'header' | 'body' | 'finished'
  parentNode?: Node
  childNodes: Node[]
  content: ArrayBuffer | null
  contentDecoder: PartDecoder | null
  postalMime: Internals
  feed(line: Uint8Array): void
  setupContentDecoder(encoding: string): void
  getTextContent(): string
  parseStructuredHeader(value: string): TypedPart['contentDisposition']['parsed']
}

const DASH = 0x2d
const SPACE = 0x20
const TAB = 0x09
const BYTE_ORDER_MARK = /^\uFEFF/
/** Lines between two checks of the time. */
const LINES_PER_CHECK = 1024

/** What a parser of this file needs beside its own state. */
interface Context {
  work: ParseWork
  /** Returns the charsets that the texts of the message declare. */
  charsets(): string[]
}
const contexts = new WeakMap<Internals, Context>()

// The decoders of postal-mime create a Blob for each line of a part, which takes a thousand times as long as parsing.
// Parsers of others keep them.
const nodes = Object.getPrototypeOf((new PostalMime() as unknown as Internals).root) as Node
const setupOriginal = nodes.setupContentDecoder
nodes.setupContentDecoder = function setupContentDecoder(this: Node, encoding: string): void {
  const work = contexts.get(this.postalMime)?.work
  if (!work) return setupOriginal.call(this, encoding)
  const { contentType, contentDisposition, childNodes } = this
  if (contentType.multipart) {
    const isText = contentDisposition.parsed.value !== 'attachment' && !isNamedFile(this)
    const decoder = partDecoder(encoding, isText, work.keep('text/plain'))
    this.contentDecoder = multipartDecoder(() => childNodes.length > 0, decoder)
    return
  }
  correctContentType(this, encoding)
  const isText = this.postalMime.isInlineTextNode(this)
  this.contentDecoder = partDecoder(encoding, isText, work.keep(contentType.parsed.value))
}

const getTextOriginal = nodes.getTextContent
nodes.getTextContent = function getTextContent(this: Node): string {
  const context = contexts.get(this.postalMime)
  if (!context) return getTextOriginal.call(this)
  const { charset: declared, format = '', delsp = '' } = this.contentType.parsed.params
  const bytes = new Uint8Array(this.content ?? [])
  const hints = (): (string | undefined)[] => [metaCharset(bytes), ...context.charsets()]
  const text = decodeText(bytes, { declared, hints, cut: isCut(this) }).replace(BYTE_ORDER_MARK, '')
  return /^flowed$/i.test(format) ? decodeFlowed(text, /^yes$/i.test(delsp)) : text
}

/** The space before the parameters of a header, where a semicolon is missing. */
const MISSING_SEMICOLON = /^(\s*[^\s;="]+)\s+(?=[\w*-]+\s*=)/
const parseHeader = nodes.parseStructuredHeader
nodes.parseStructuredHeader = function parseStructuredHeader(this: Node, value) {
  return parseHeader.call(this, contexts.has(this.postalMime) ? value.replace(MISSING_SEMICOLON, '$1; ') : value)
}

const isCut = ({ content }: Node): boolean => content !== null && uncutSize(content) > content.byteLength

/** The content of calendars in UTF-8. */
const calendars = new WeakMap<Attachment, Attachment['content']>()

/** Returns the content of a calendar in UTF-8; undefined for other parts. */
export const calendarIn = (part: Attachment): Attachment['content'] | undefined => calendars.get(part)

/**
 * Whether a text part is a file, because it has a name. A name in the Content-Type of the first part does not count,
 * because some mailers name the body there.
 */
function isNamedFile(node: Node): boolean {
  const { parentNode, contentType, contentDisposition } = node
  if (!parentNode || parentNode.contentType.parsed.value === 'multipart/alternative') return false
  if (contentDisposition.parsed.params['filename']) return true
  return Boolean(contentType.parsed.params['name']) && parentNode.childNodes[0] !== node
}

/**
 * Parses a message (RFC 5322, MIME) with postal-mime, without the messages forwarded within it. `whole` is the message
 * that `raw` is the beginning of. Rejects if it exceeds the limits of `work`.
 */
export async function parseMime(raw: Uint8Array, work: ParseWork, whole = raw): Promise<Email> {
  const { limits } = work
  const parser = new PostalMime({
    maxNestingDepth: limits.maxDepth,
    maxHeadersSize: limits.maxHeaderBytes,
    attachmentEncoding: 'arraybuffer',
  }) as unknown as Internals
  const charsets = textCharsets(whole)
  contexts.set(parser, { work, charsets })
  const isInlineTextNode = parser.isInlineTextNode.bind(parser)
  parser.isInlineTextNode = (node) => isInlineTextNode(node) && !isNamedFile(node)
  const addText = (node: Node, selector = node): void => {
    const cut = isCut(node)
    work.cut ||= cut
    const type = node.contentType.parsed.value === 'text/html' ? 'html' : 'plain'
    parser.addTextEntry(selector, type, { type: 'text', value: node.getTextContent(), cut })
  }
  const collectNode = parser.collectNode.bind(parser)
  parser.collectNode = async (node, alternative, related) => {
    const { contentType, childNodes } = node
    // A multipart without parts has no boundary, or its boundary does not occur. Its body is shown as text.
    if (contentType.multipart && childNodes.length === 0 && node.content && uncutSize(node.content) > 0) {
      contentType.multipart = false
      contentType.parsed.value = 'text/plain'
    }
    if (contentType.multipart === 'alternative') {
      node.childNodes = withoutVersions(childNodes, (child) => parser.isInlineTextNode(child))
    }
    if (parser.isInlineTextNode(node)) addText(node, alternative || node)
    else await collectNode(node, alternative, related)
  }
  const collectAttachment = parser.collectAttachment.bind(parser)
  parser.collectAttachment = (node, content, related, isTooDeep) => {
    collectAttachment(node, content, related, isTooDeep)
    const part = parser.attachments.at(-1)
    if (!part || part.content === content) return
    // The parser has converted a calendar to UTF-8. The attachment has the bytes that were sent.
    calendars.set(part, part.content)
    part.content = content
  }
  parser.started = true
  await readLines(parser, raw, work, headReader(charsets, limits.maxHeaderBytes))
  parser.forceRfc822Attachments = true
  await parser.collectNode(parser.root, false, false)
  const hasOther = parser.attachments.some(({ mimeType }) => isMessage(mimeType) || isCalendar(mimeType))
  const file = parser.textMap.size === 0 && !hasOther ? firstText(parser.root) : undefined
  if (file) addText(file)
  for (const type of parser.textTypes) parser.textContent[type] = bodyOf([...parser.textMap.values()], type)
  const mail = parser.buildMessage()
  // The parser leaves out HTML of which nothing was kept.
  if (work.cut && parser.textTypes.has('html')) mail.html ??= ''
  return mail
}

/**
 * Feeds the parser header lines and boundaries one by one, and bodies up to the next boundary. `readable` makes header
 * sections readable.
 */
async function readLines(
  parser: Internals,
  bytes: Uint8Array,
  work: ParseWork,
  readable: (head: Uint8Array) => Uint8Array,
): Promise<void> {
  let parts = 0
  let lines = 0
  let nextCheck = LINES_PER_CHECK
  const count = (more = 1): void => {
    lines += more
    if (lines >= nextCheck) {
      nextCheck = lines + LINES_PER_CHECK
      work.checkTime()
    }
    if (lines > work.limits.maxLines) throw new ParseLimitError(`Over ${work.limits.maxLines} lines`)
  }
  for (let at = 0; at < bytes.length;) {
    const node = parser.currentNode
    if (isBoundary(parser, bytes, at)) {
      count()
      const end = lineEnd(bytes, at)
      await parser.processLine(withoutBreak(bytes, at, end), false)
      const startsPart = parser.currentNode !== node && parser.currentNode.state === 'header'
      if (startsPart && ++parts > work.limits.maxParts) throw new ParseLimitError(`Over ${work.limits.maxParts} parts`)
      at = end
    } else if (node.state === 'header') {
      const end = headEnd(parser, bytes, at, count)
      const section = bytes.subarray(at, end)
      const isPart = node.parentNode !== undefined && end < bytes.length
      const length = isPart ? fieldsLength(section) : section.length
      feedLines(node, readable(section.subarray(0, length)))
      if (length < section.length) node.feed(new Uint8Array())
      at += length
    } else {
      const decoder = node.contentDecoder
      // Content that is only counted does not need to be split into lines.
      const isCounted = decoder?.full
      let end = at
      do {
        count()
        end = lineEnd(bytes, end)
        if (isCounted) {
          const skipped = bytes.subarray(end, nextDashes(bytes, end))
          count(countLines(skipped))
          end += skipped.length
        }
      } while (end < bytes.length && !isBoundary(parser, bytes, end))
      const hasBreak = decoder?.isText || end === bytes.length
      decoder?.update(bytes.subarray(at, hasBreak ? end : beforeBreak(bytes, end)))
      at = end
    }
  }
  await parser.finalize()
}

/** Returns the index after the header section that begins at `at`. An empty line or a boundary ends it. */
function headEnd(parser: Internals, bytes: Uint8Array, at: number, count: () => void): number {
  for (let from = at; ;) {
    count()
    const end = lineEnd(bytes, from)
    const isEmpty = withoutBreak(bytes, from, end).length === 0
    if (isEmpty || end === bytes.length || isBoundary(parser, bytes, end)) return end
    from = end
  }
}

function feedLines(node: Node, head: Uint8Array): void {
  for (let at = 0; at < head.length;) {
    const end = lineEnd(head, at)
    node.feed(withoutBreak(head, at, end))
    at = end
  }
}

/** In bytes. RFC 2046 allows 70. Each line may have to be compared with the boundaries of all open multiparts. */
const LONGEST_BOUNDARY = 250

/** Whether the line at `at` is a boundary of an open multipart (RFC 2046 5.1.1). */
const isBoundary = ({ boundaries }: Internals, bytes: Uint8Array, at: number): boolean =>
  bytes[at] === DASH &&
  bytes[at + 1] === DASH &&
  boundaries.some(({ value }) => value.length <= LONGEST_BOUNDARY && isDelimiter(bytes, at + 2, value))

/** Whether the line that continues at `at` is the boundary and nothing else but the two dashes after the last part. */
function isDelimiter(bytes: Uint8Array, at: number, boundary: Uint8Array): boolean {
  for (let i = 0; i < boundary.length; i++) if (bytes[at + i] !== boundary[i]) return false
  let end = at + boundary.length
  if (bytes[end] === DASH && bytes[end + 1] === DASH) end += 2
  while (bytes[end] === SPACE || bytes[end] === TAB) end++
  while (bytes[end] === CR) end++
  return end >= bytes.length || bytes[end] === LF
}

/** Returns the index of the next line that begins with two dashes. In a browser, which has no Buffer, returns `at`. */
function nextDashes(bytes: Uint8Array, at: number): number {
  if (typeof Buffer === 'undefined' || at === bytes.length) return at
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('\n--', at - 1, 'latin1')
  return found === -1 ? bytes.length : found + 1
}

/** Returns the index after the line. */
function lineEnd(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(LF, at)
  return end === -1 ? bytes.length : end + 1
}

/** Returns the index of the line break that ends at `end`. Before a boundary, it belongs to the boundary. */
const beforeBreak = (bytes: Uint8Array, end: number): number =>
  bytes[end - 1] !== LF ? end : bytes[end - 2] === CR ? end - 2 : end - 1

function withoutBreak(bytes: Uint8Array, start: number, end: number): Uint8Array {
  let stop = end
  while (stop > start && (bytes[stop - 1] === LF || bytes[stop - 1] === CR)) stop--
  return bytes.subarray(start, stop)
}
