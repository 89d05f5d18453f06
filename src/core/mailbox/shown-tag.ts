/** A checksum of an address in URLs, which logs may keep: it tells two apart, but is too short to tell which one it is of. */
export const shownTag = (address: string): number =>
  Array.from(address).reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 65_521, 0)
