const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"'`]+/gi
/** Punctuation that ends a sentence around a URL rather than the URL. */
const TRAILING = /[.,;:!?)\]}、。，！？）」』]+$/

/** Plain text as HTML: line breaks kept, quoted lines marked, http and https URLs clickable. */
export function textToHtml(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  return lines
    .map((line) => (line.startsWith('>') ? `<span class="quote">${linked(line)}</span>` : linked(line)))
    .join('\n')
}

function linked(line: string): string {
  let html = ''
  let end = 0
  for (const match of line.matchAll(URL_IN_TEXT)) {
    const url = match[0].replace(TRAILING, '')
    html += escapeHtml(line.slice(end, match.index))
    html += `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer nofollow">${escapeHtml(url)}</a>`
    end = match.index + url.length
  }
  return html + escapeHtml(line.slice(end))
}
