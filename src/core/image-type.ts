const SIGNATURES: [type: string, offset: number, bytes: string][] = [
  ['image/png', 0, '89504e470d0a1a0a'],
  ['image/jpeg', 0, 'ffd8ff'],
  ['image/gif', 0, '474946383761'],
  ['image/gif', 0, '474946383961'],
  ['image/bmp', 0, '424d'],
  ['image/x-icon', 0, '00000100'],
  ['image/avif', 4, '6674797061766966'],
  ['image/avif', 4, '6674797061766973'],
  ['image/webp', 8, '57454250'],
]

/** Returns the type of a raster image by its first bytes, or undefined for other content. Ignores the declared type. */
export function imageType(content: Uint8Array): string | undefined {
  const start = Array.from(content.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return SIGNATURES.find(([, offset, bytes]) => start.startsWith(bytes, offset * 2))?.[0]
}
