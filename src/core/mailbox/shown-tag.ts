/**
 * A checksum of an address for URLs, which logs may keep. It is long enough to notice that the browser has changed its
 * address, and too short to find out the address.
 */
export const shownTag = (address: string): number =>
  Array.from(address).reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 65_521, 0)
