import PostalMime, { type Attachment as Part, type Email } from 'postal-mime'
import { fromUtf8, toLatin1 } from '../bytes.ts'
import { charsetOf } from './charset.ts'
import { appendForwarded } from './forwarded.ts'
import { withReadableHead } from './head.ts'
import { countLines, countParts, type ParseLimits } from './limits.ts'
import { decodeUtf7, isUtf7 } from './utf7.ts'

export type { Email, Part }

/** The mail is over a limit of the parser. */
export class ParseLimitError extends Error {
  override readonly name = 'ParseLimitError'
}

/** What this file knows of postal-mime's inside: where a part becomes text, in the charset it declares. */
interface Inside {
  isInlineTextNode(node: Node): boolean
  collectNode(node: Node, alternative: unknown, related: boolean): Promise<void>
}
interface Node {
  contentType: { parsed: { value: string; params: Record<string, string> } }
  contentDisposition: { parsed: { params: Record<string, string> } }
  content: ArrayBuffer | null
  parentNode?: Node
  childNodes: Node[]
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

async function parseOne(raw: Uint8Array, limits: ParseLimits): Promise<Email> {
  const parser = new PostalMime({
    maxNestingDepth: limits.maxDepth,
    maxHeadersSize: limits.maxHeaderBytes,
    forceRfc822Attachments: true,
    attachmentEncoding: 'arraybuffer',
  })
  const inside = parser as unknown as Inside
  const isInlineTextNode = inside.isInlineTextNode.bind(parser)
  inside.isInlineTextNode = (node) => isInlineTextNode(node) && !isNamedFile(node)
  const collectNode = inside.collectNode.bind(parser)
  inside.collectNode = (node, alternative, related) => {
    const { value, params } = node.contentType.parsed
    if (node.content && /^text\/|^application\/ics$/.test(value)) {
      params['charset'] = charsetOf(params['charset'], new Uint8Array(node.content))
      if (isUtf7(params['charset']) && inside.isInlineTextNode(node)) {
        node.content = fromUtf8(decodeUtf7(toLatin1(new Uint8Array(node.content)))).buffer
        params['charset'] = 'utf-8'
      }
    }
    return collectNode(node, alternative, related)
  }
  return parser.parse(withReadableHead(raw, limits.maxHeaderBytes))
}

/** RFC 5322 and MIME by postal-mime; forwarded mails can be read with the mail around them. Throws for what is over the limits. */
export async function parseMail(raw: Uint8Array, limits: ParseLimits, forwards = 0): Promise<Email> {
  if (countLines(raw) > limits.maxLines) throw new ParseLimitError(`Over ${limits.maxLines} lines`)
  if (countParts(raw) > limits.maxParts) throw new ParseLimitError(`Over ${limits.maxParts} parts`)
  const mail = await parseOne(raw, limits)
  if (forwards < limits.maxForwards) {
    await appendForwarded(mail, (part) => parseMail(bytesOf(part), limits, forwards + 1))
  }
  if (mail.attachments.length > limits.maxParts) throw new ParseLimitError(`Over ${limits.maxParts} parts`)
  return mail
}

/** The bytes of a part. */
export function bytesOf(part: Part): Uint8Array {
  const { content } = part
  if (typeof content === 'string') return fromUtf8(content)
  return content instanceof Uint8Array ? content : new Uint8Array(content)
}
