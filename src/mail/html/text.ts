import { escapeHtml } from '#core/text.ts'
import { type UrlInText, urlsInText } from '../url-end.ts'
import { withoutOverrides } from './overrides.ts'

const MAX_URL_LENGTH = 4096
const MAX_QUOTE_LEVEL = 3

/**
 * Converts plain text to HTML. Keeps line breaks, marks quoted lines with their level and links http and https URLs. Links
 * are shown from left to right, whatever direction the text around them has.
 */
export function textToHtml(text: string): string {
  return withoutOverrides(text).replace(/\r\n?/g, '\n').split('\n').map(lineToHtml).join('\n')
}

function lineToHtml(line: string): string {
  const level = (/^(?:> ?)+/.exec(line)?.[0] ?? '').replaceAll(' ', '').length
  if (level === 0) return withLinks(line)
  return `<span class="quote-${Math.min(level, MAX_QUOTE_LEVEL)}">${withLinks(line)}</span>`
}

function withLinks(line: string): string {
  let html = ''
  let end = 0
  for (const { url, index } of linksIn(line)) {
    html += escapeHtml(line.slice(end, index))
    html += `<a dir="ltr" href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer nofollow">${escapeHtml(url)}</a>`
    end = index + url.length
  }
  return html + escapeHtml(line.slice(end))
}

/** Yields the URLs in plain text that can be opened. */
export function* linksIn(text: string): Generator<UrlInText> {
  for (const found of urlsInText(text)) if (found.url.length <= MAX_URL_LENGTH && URL.canParse(found.url)) yield found
}
