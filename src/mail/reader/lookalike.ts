import punycode from 'punycode.js'
import { parse } from 'tldts'
import { BRANDS, LATIN } from './brands.ts'

const PRIVATE = { allowPrivateDomains: true }

/** Shorter names resemble too many others. */
const MIN_FOR_EDITS = 6
const MIN_FOR_PARTS = 5

const labelOf = (domain: string): string => parse(domain, PRIVATE).domainWithoutSuffix ?? ''

const brands = new Map(BRANDS.map((domain) => [labelOf(domain), domain]))

/** Returns what a label looks like, in Latin letters without accents. */
function skeletonOf(label: string): string {
  const letters = Array.from(
    label.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
    (each) => LATIN.get(each) ?? each,
  )
  return letters.join('').replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('cl', 'd').replaceAll('i', 'l')
}

/** Made once, because a skeleton takes longer than all comparisons with it. */
const looks = [...brands].map(([label, domain]) => ({ label, domain, skeleton: skeletonOf(label) }))
const skeletons = new Map(looks.map(({ skeleton, domain }) => [skeleton, domain]))

/** Whether two words differ by one letter that is changed, added, left out or swapped with the next. */
function isOneEditApart(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (a[start] !== undefined && a[start] === b[start]) start++
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  const rest = longer.slice(start + 1)
  if (shorter.length < longer.length) return shorter.slice(start) === rest
  const swapped = a[start] === b[start + 1] && a[start + 1] === b[start] && a.slice(start + 2) === b.slice(start + 2)
  return swapped || a.slice(start + 1) === rest
}

/**
 * Returns the well-known domain that a domain imitates: by letters that look alike, one typing error, the name beside
 * other words, or the name as a subdomain. Null for the domain itself, its subdomains, and the same name below another
 * suffix, which most companies own.
 */
export function lookalikeOf(domain: string): string | null {
  const host = unicode(domain.trim().toLowerCase().replace(/\.$/, ''))
  const { domain: registered, domainWithoutSuffix: label, subdomain } = parse(host, PRIVATE)
  if (!registered || !label || brands.has(label)) return null
  const skeleton = skeletonOf(label)
  const same = skeletons.get(skeleton)
  if (same !== undefined) return same
  const parts = new Set([...label.split('-'), ...(subdomain ?? '').split(/[.-]/)].map(skeletonOf))
  for (const brand of looks) {
    if (brand.label.length >= MIN_FOR_PARTS && parts.has(brand.skeleton)) return brand.domain
    if (brand.label.length >= MIN_FOR_EDITS && isOneEditApart(label, brand.label)) return brand.domain
  }
  return null
}

function unicode(host: string): string {
  try {
    // oxlint-disable-next-line import/no-named-as-default-member -- Node finds no named exports in this CommonJS module
    return punycode.toUnicode(host)
  } catch {
    return host
  }
}
