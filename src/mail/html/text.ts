import { escapeHtml } from '#core/text.ts'

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"'`\u3000-\u3002\uFF00-\uFF0F\uFF1A-\uFF1F]+/gi
/** Punctuation after a URL that belongs to the sentence around it. */
const TRAILING = new Set('.,;:!?*_~]}')
const MAX_URL_LENGTH = 4096
const MAX_QUOTE_LEVEL = 3

/**
 * Converts plain text to HTML. Keeps line breaks, marks quoted lines with their level and links http and https URLs.
 */
export function textToHtml(text: string): string {
  return text.replace(/\r\n?/g, '\n').split('\n').map(lineToHtml).join('\n')
}

function lineToHtml(line: string): string {
  const level = (/^(?:> ?)+/.exec(line)?.[0] ?? '').replaceAll(' ', '').length
  if (level === 0) return withLinks(line)
  return `<span class="quote-${Math.min(level, MAX_QUOTE_LEVEL)}">${withLinks(line)}</span>`
}

function withLinks(line: string): string {
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

/** Yields the URLs in plain text. */
export function* urlsInText(text: string): Generator<string> {
  for (const [found] of text.matchAll(URL_IN_TEXT)) {
    const url = withoutTrailing(found)
    if (url.length <= MAX_URL_LENGTH && URL.canParse(url)) yield url
  }
}

/** Removes punctuation of the sentence from a URL. A closing parenthesis stays if the URL has an opening one. */
function withoutTrailing(url: string): string {
  let end = url.length
  const opens = url.includes('(')
  while (end > 0 && (TRAILING.has(url[end - 1] ?? '') || (url[end - 1] === ')' && !opens))) end--
  return url.slice(0, end)
}
