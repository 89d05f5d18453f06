/** Which features of caniemail.com a piece of CSS uses. Names are those of `client-support.json`. */

/** Properties whose feature has another name. */
const PROPERTIES = new Map<string, string[]>(
  Object.entries({
    'block-size': ['css-block-inline-size'],
    'inline-size': ['css-inline-size', 'css-block-inline-size'],
    columns: ['css-column-layout-properties'],
    'column-gap': ['css-gap'],
    'row-gap': ['css-gap'],
    'margin-block': ['css-margin-inline-block'],
    'margin-inline': ['css-margin-inline-block'],
    'padding-block': ['css-padding-inline-block'],
    'padding-inline': ['css-padding-inline-block'],
    'border-inline': ['css-border-inline-block'],
    'border-block': ['css-border-inline-block'],
    left: ['css-left-right-top-bottom'],
    right: ['css-left-right-top-bottom'],
    top: ['css-left-right-top-bottom'],
    bottom: ['css-left-right-top-bottom'],
    // These two have a feature for one value each.
    'flex-direction': [],
    'flex-wrap': [],
  }),
)
const PROPERTY_PATTERNS: readonly [RegExp, string][] = [
  [/^column-(?:fill|rule|span|width)/, 'css-column-layout-properties'],
  [/^grid-template/, 'css-grid-template'],
  [/^(margin|padding)-(block|inline)-(?:start|end)$/, 'css-$1-$2-start-end'],
  [/^border-(?:block|inline)-(?:start|end)/, 'css-border-inline-block-individual'],
  [/^border-(?:block|inline)-(?:color|style|width)$/, 'css-border-inline-block-longhand'],
  [/^border-(?:start|end)-(?:start|end)-radius$/, 'css-border-radius-logical'],
  [/^border-(?:top|bottom)-(?:left|right)-radius$/, 'css-border-radius'],
  [/^border-image-/, 'css-border-image'],
  [/^border-(?:top|right|bottom|left|color|style|width)\b/, 'css-border'],
  [/^(margin|padding)-(?:top|right|bottom|left)$/, 'css-$1'],
  [/^overflow-[xy]$/, 'css-overflow'],
  [/^scroll-snap-/, 'css-scroll-snap'],
  [/^text-emphasis-(?:color|style)$/, 'css-text-emphasis'],
  [/^(animation|transition|outline)-/, 'css-$1'],
  [/^transform-/, 'css-transform'],
  [/^--/, 'css-variables'],
]
const FUNCTIONS: readonly [RegExp, string][] = [
  [/\bclamp\(/, 'css-function-clamp'],
  [/\blight-dark\(/, 'css-function-light-dark'],
  [/\bmax\(/, 'css-function-max'],
  [/\bmin\(/, 'css-function-min'],
  [/\bcalc\(/, 'css-unit-calc'],
  [/\bvar\(\s*--/, 'css-variables'],
  [/\blinear-gradient\(/, 'css-linear-gradient'],
  [/\bradial-gradient\(/, 'css-radial-gradient'],
  [/\bconic-gradient\(/, 'css-conic-gradient'],
  [/\brgb\(/, 'css-rgb'],
  [/\brgba\(/, 'css-rgba'],
  [/\b(?:ok)?(?:lch|lab)\(/, 'css-modern-color'],
]
const KEYWORDS: readonly [RegExp, string][] = [
  [/\b(?:fit|min|max)-content\b/, 'css-intrinsic-size'],
  [/^initial$/, 'css-unit-initial'],
  [/\b(?:system-ui|ui-(?:serif|sans-serif|rounded|monospace))\b/, 'css-sytem-ui'],
]
const UNITS = new Set('ch cm em ex in mm pc pt px rem vh vmax vmin vw'.split(' '))
const NUMBER = /(?<![\w#.-])[+-]?(?:\d+\.?\d*|\.\d+)(%|[a-z]{2,4})/g
const FOR_VALUES = new Map<string, readonly [RegExp, string][]>(
  Object.entries({
    display: [
      [/^(?:inline-)?flex$/, 'css-display-flex'],
      [/^(?:inline-)?grid$/, 'css-display-grid'],
      [/^none$/, 'css-display-none'],
    ],
    'flex-direction': [[/^column/, 'css-flex-direction']],
    'flex-wrap': [[/^wrap/, 'css-flex-wrap']],
  }),
)
/** Longer values and selectors are cut. */
const MAX_VALUE = 2000
/** A URL or a string without its end. */
const CUT_OFF = /(?:url\(|["'])[^]*$/
const MAX_SELECTOR = 1000

export type IsFeature = (slug: string) => boolean

/** Returns the features of a declaration. */
export function declarationFeatures(name: string, text: string, isFeature: IsFeature): Set<string> {
  const property = name.toLowerCase().replace(/^-(?:webkit|moz|ms|o)-/, '')
  const value = text.slice(0, MAX_VALUE).toLowerCase()
  const found = new Set(PROPERTIES.get(property) ?? [`css-${property}`])
  for (const [pattern, slug] of PROPERTY_PATTERNS) {
    const [whole, first = '', second = ''] = pattern.exec(property) ?? []
    if (whole !== undefined) found.add(slug.replace('$1', first).replace('$2', second))
  }
  if (/!\s*important\s*$/.test(value)) found.add('css-important')
  // URLs and strings may contain anything.
  const unquoted = value.replace(/url\([^)]*\)|"[^"]*"|'[^']*'/g, ' ')
  const whole = text.length > MAX_VALUE ? unquoted.replace(CUT_OFF, '') : unquoted
  const bare = whole.replace(/!\s*important\s*$/, '').trim()
  const functions = bare.includes('(') ? FUNCTIONS : []
  for (const [pattern, slug] of [...functions, ...KEYWORDS, ...(FOR_VALUES.get(property) ?? [])])
    if (pattern.test(bare)) found.add(slug)
  for (const [, unit = ''] of bare.matchAll(NUMBER)) {
    if (unit === '%') found.add('css-unit-percent')
    else if (UNITS.has(unit)) found.add(`css-unit-${unit}`)
  }
  return new Set([...found].filter(isFeature))
}

const AT_RULES = new Map<string, string>(
  Object.entries({
    'font-face': 'css-at-font-face',
    import: 'css-at-import',
    keyframes: 'css-at-keyframes',
    media: 'css-at-media',
    supports: 'css-at-supports',
  }),
)
const MEDIA: readonly [RegExp, string][] = [
  [/device-pixel-ratio/, 'css-at-media-device-pixel-ratio'],
  [/\b(?:any-)?hover\b/, 'css-at-media-hover'],
  [/\borientation\b/, 'css-at-media-orientation'],
  [/prefers-color-scheme/, 'css-at-media-prefers-color-scheme'],
  [/prefers-reduced-motion/, 'css-at-media-prefers-reduced-motion'],
]

/** Returns the features of an at-rule. */
export function atRuleFeatures(name: string, params: string, isFeature: IsFeature): Set<string> {
  const found = new Set<string>()
  const rule = AT_RULES.get(name.toLowerCase().replace(/^-(?:webkit|moz|ms|o)-/, ''))
  if (rule !== undefined) found.add(rule)
  if (rule === 'css-at-media')
    for (const [pattern, slug] of MEDIA) if (pattern.test(params.slice(0, MAX_VALUE).toLowerCase())) found.add(slug)
  return new Set([...found].filter(isFeature))
}

/** Returns the features of the selectors of a rule. */
export function selectorFeatures(selector: string, isFeature: IsFeature): Set<string> {
  const found = new Set<string>()
  const text = selector
    .slice(0, MAX_SELECTOR)
    .toLowerCase()
    .replace(/"[^"]*"|'[^']*'/g, '')
    .trim()
  for (const [, colons, name] of text.matchAll(/(::?)([a-z-]+)/g)) {
    found.add(`css-pseudo-${colons === '::' ? 'element' : 'class'}-${name}`)
    // CSS 2 wrote four pseudo-elements with one colon.
    found.add(`css-pseudo-element-${name}`)
  }
  if (/\[/.test(text)) found.add('css-selector-attribute')
  // Text in brackets is not a selector of its own.
  const bare = text.replace(/\[[^\]]*\]|\([^()]*\)/g, '')
  if (bare.includes(',')) found.add('css-selector-grouping')
  for (const single of bare.split(',').map((each) => each.trim())) {
    if (single.includes('>')) found.add('css-selector-child')
    if (single.includes('+')) found.add('css-selector-adjacent-sibling')
    if (single.includes('~')) found.add('css-selector-general-sibling')
    if (/[^\s>+~]\s+[^\s>+~]/.test(single)) found.add('css-selector-descendant')
    for (const compound of single.split(/[\s>+~]+/)) {
      if (/\.[\w-]/.test(compound)) found.add('css-selector-class')
      if (/#[\w-]/.test(compound)) found.add('css-selector-id')
      if (/^[a-z]/.test(compound)) found.add('css-selector-type')
      if (compound.startsWith('*')) found.add('css-selector-universal')
      if (/[.#][\w-]+[.#]/.test(compound)) found.add('css-selector-chaining')
    }
  }
  return new Set([...found].filter(isFeature))
}
