/**
 * Joins the lines of paragraphs in text with format=flowed (RFC 3676). Lines of different quote depths are never joined.
 * `delSp`: the space that marks a flowed line is not part of the text.
 */
export function decodeFlowed(text: string, delSp: boolean): string {
  const paragraphs: string[] = []
  /** The lines of the current paragraph. */
  let open: string[] = []
  let openDepth = 0
  const close = (): void => {
    if (open.length === 0) return
    const content = open.join('')
    paragraphs.push(`${'>'.repeat(openDepth)}${openDepth > 0 && content !== '' ? ' ' : ''}${content}`)
    open = []
  }
  for (const line of text.split(/\r?\n/)) {
    const depth = /^>*/.exec(line)?.[0].length ?? 0
    const content = line.slice(line[depth] === ' ' ? depth + 1 : depth)
    const isSignature = content === '-- '
    if (depth !== openDepth || isSignature) close()
    openDepth = depth
    const isFlowed = content.endsWith(' ') && !isSignature
    open.push(isFlowed && delSp ? content.slice(0, -1) : content)
    if (!isFlowed) close()
  }
  close()
  return paragraphs.join('\n')
}
