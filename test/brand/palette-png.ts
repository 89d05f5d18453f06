import { constants, crc32, deflateSync } from 'node:zlib'

type Color = readonly [red: number, green: number, blue: number]

/** Returns the steps from one color to another, both included. */
export const ramp = (from: Color, to: Color, steps: number): Color[] =>
  Array.from({ length: steps }, (_, i) => {
    const mix = (channel: 0 | 1 | 2): number =>
      Math.round(from[channel] + ((to[channel] - from[channel]) * i) / (steps - 1))
    return [mix(0), mix(1), mix(2)]
  })

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

/** An indexed PNG of RGBA pixels, each in the nearest of at most 256 colors. A third of the size of one in full colors. */
export function palettePng(pixels: Uint8Array, width: number, palette: readonly Color[]): Buffer {
  const height = pixels.length / 4 / width
  const nearest = new Map<number, number>()
  const indexOf = (red: number, green: number, blue: number): number => {
    const key = (red << 16) | (green << 8) | blue
    const known = nearest.get(key)
    if (known !== undefined) return known
    const distances = palette.map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2)
    const index = distances.indexOf(Math.min(...distances))
    nearest.set(key, index)
    return index
  }
  // Each line begins with the filter: none.
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4
      lines[y * (width + 1) + x + 1] = indexOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a pixel, indexed.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9, strategy: constants.Z_DEFAULT_STRATEGY })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
