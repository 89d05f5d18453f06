declare module 'punycode.js' {
  const punycode: {
    /** Converts the Punycode labels of a domain (RFC 3492). Throws if one is invalid. */
    toUnicode(domain: string): string
  }
  export default punycode
}
