/** Which features of caniemail.com a tag uses. Names are those of `client-support.json`. */
import type { IsFeature } from './css-features.ts'

const SEMANTICS = 'article aside details figcaption figure footer header main mark nav section summary time'
const TAGS = new Map<string, string>(
  Object.entries({
    ...Object.fromEntries(SEMANTICS.split(' ').map((name) => [name, 'html-semantics'])),
    ...Object.fromEntries('ul ol dl'.split(' ').map((name) => [name, 'html-lists'])),
    map: 'html-image-maps',
    embed: 'html-object',
  }),
)
/** Attributes whose feature is named after them. */
const ATTRIBUTES = new Set(
  `align aria-describedby aria-hidden aria-label aria-labelledby aria-live background dir height hidden lang popover
  required role target width`.split(/\s+/),
)
const OTHER_ATTRIBUTES = new Map<string, string>(
  Object.entries({
    loading: 'html-loading-attribute',
    srcset: 'html-srcset',
    sizes: 'html-srcset',
    usemap: 'html-image-maps',
    inert: 'css-inert-attribute',
  }),
)
const IMAGES = new Map<string, string>(
  Object.entries({
    apng: 'apng',
    avif: 'avif',
    bmp: 'bmp',
    gif: 'gif',
    hdr: 'hdr',
    heic: 'heif',
    heif: 'heif',
    ico: 'ico',
    mp4: 'mp4',
    svg: 'svg',
    tif: 'tiff',
    tiff: 'tiff',
    webp: 'webp',
  }),
)
/** The path of a URL is cut, because a data URL may contain an image. */
const MAX_URL = 2000

/** Returns the feature of the format of an image, by its URL. */
export function imageFeature(url: string): string | undefined {
  const start = url.slice(0, MAX_URL).trim().toLowerCase()
  if (start.startsWith('data:image/')) return 'image-base64'
  const [, extension = ''] = /\.([a-z0-9]{3,4})(?:[?#]|$)/.exec(start) ?? []
  const format = IMAGES.get(extension)
  return format && `image-${format}`
}

/** Returns the features of an opening tag, without its style. */
export function tagFeatures(
  name: string,
  attributes: Readonly<Record<string, string>>,
  isFeature: IsFeature,
): Set<string> {
  const found = new Set([TAGS.get(name) ?? `html-${name}`])
  const type = attributes['type']?.trim().toLowerCase() ?? ''
  if (name === 'input') found.add(`html-input-${type || 'text'}`)
  if (name === 'button') found.add(`html-button-${type || 'submit'}`)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (ATTRIBUTES.has(attribute)) found.add(`html-${attribute}`)
    const other = OTHER_ATTRIBUTES.get(attribute)
    if (other !== undefined) found.add(other)
    if (attribute === 'href' && /^\s*#./.test(value)) found.add('html-anchor-links')
    if (attribute === 'href' && /^\s*mailto:/i.test(value)) found.add('html-mailto-links')
  }
  if (name === 'meta' && /^\s*(?:supported-)?color-schemes?\s*$/i.test(attributes['name'] ?? ''))
    found.add('html-meta-color-scheme')
  const image = ['img', 'source', 'image'].includes(name)
    ? (attributes['src'] ?? attributes['srcset'])
    : attributes['background']
  const format = image === undefined ? undefined : imageFeature(image.trim().split(/\s/)[0] ?? '')
  if (format !== undefined) found.add(format)
  return new Set([...found].filter(isFeature))
}
