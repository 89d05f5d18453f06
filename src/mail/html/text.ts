import { escapeHtml } from '#core/text.ts'

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"'`\u3000-\u3002\uFF00-\uFF0F\uFF1A-\uFF1F]+/gi
/** Punctuation that ends a sentence around a URL rather than the URL. */
const TRAILING = new Set('.,;:!?*_~]}')
const MAX_URL_LENGTH = 4096
const MAX_QUOTE_LEVEL = 3

/** Plain text as HTML: line breaks kept, quoted lines marked by their level, http and https URLs clickable. */
export function textToHtml(text: string): string {
  return text.replace(/\r\n?/g, '\n').split('\n').map(lineToHtml).join('\n')
}

function lineToHtml(line: string): string {
  const level = (/^(?:> ?)+/.exec(line)?.[0] ?? '').replaceAll(' ', '').length
  if (level === 0) return linked(line)
  return `<span class="quote-${Math.min(level, MAX_QUOTE_LEVEL)}">${linked(line)}</span>`
}

function linked(line: string): string {
  let html = ''
  let end = 0
  for (const match of line.matchAll(URL_IN_TEXT)) {
    const url = withoutTrailing(match[0])
    if (url.length > MAX_URL_LENGTH || !URL.canParse(url)) continue
    html += escapeHtml(line.slice(end, match.index))
    html += `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer nofollow">${escapeHtml(url)}</a>`
    end = match.index + url.length
  }
  return html + escapeHtml(line.slice(end))
}

/** The URL without the punctuation of its sentence; a closing parenthesis stays where the URL opened one. */
function withoutTrailing(url: string): string {
  let end = url.length
  const opens = url.includes('(')
  while (end > 0 && (TRAILING.has(url[end - 1] ?? '') || (url[end - 1] === ')' && !opens))) end--
  return url.slice(0, end)
}
