import { deflateSync } from 'node:zlib'

/** Pictures of pages as small PNG files: few colours, each pixel one byte (PNG, third edition). */

export interface Picture {
  readonly width: number
  readonly height: number
  /** Red, green, blue and opacity of each pixel. */
  readonly data: Uint8Array
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const MOST_COLOURS = 256
/** Colours nearer than this to another one of the palette are drawn as that. */
const LEAST_DISTANCE = 64

/** The picture in at most 256 colours. */
export function encodePalettePng({ width, height, data }: Picture): Uint8Array {
  const { indexes, palette } = reduce(data)
  const rows = new Uint8Array((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    rows.set(indexes.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  }
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  // Eight bits a pixel, each an entry of the palette.
  header.setUint8(8, 8)
  header.setUint8(9, 3)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('PLTE', Uint8Array.from(palette.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}

/** Pixels as entries of a palette: the commonest colours as they are, and the nearest of them for all others. */
function reduce(data: Uint8Array) {
  const colourAt = (pixel: number) => {
    const at = pixel * 4
    return ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0)
  }
  const pixels = data.length / 4
  const counts = new Map<number, number>()
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const colour = colourAt(pixel)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const ranked = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour)
  const palette = paletteOf(ranked)
  const entries = new Map(ranked.map((colour) => [colour, nearest(palette, colour)]))
  const indexes = Uint8Array.from(
    { length: pixels },
    (_, pixel) => entries.get(colourAt(pixel)) ?? 0,
  )
  return { indexes, palette }
}

/**
 * The commonest colours that can be told apart: shades of the edges of text would leave no room for what is
 * small and of a colour of its own.
 */
function paletteOf(ranked: readonly number[]): readonly number[] {
  const palette: number[] = []
  for (const colour of ranked) {
    if (palette.length === MOST_COLOURS) break
    const isNew = palette.every((other) => distance(other, colour) >= LEAST_DISTANCE)
    if (isNew) palette.push(colour)
  }
  return palette
}

/** The square of how far two colours are apart. */
function distance(one: number, other: number): number {
  return [16, 8, 0].reduce(
    (sum, bits) => sum + (((one >> bits) & 255) - ((other >> bits) & 255)) ** 2,
    0,
  )
}

function nearest(palette: readonly number[], colour: number): number {
  let best = 0
  for (let entry = 1; entry < palette.length; entry += 1) {
    if (distance(palette[entry] ?? 0, colour) < distance(palette[best] ?? 0, colour)) best = entry
  }
  return best
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(content.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(Bun.hash.crc32(body), body.length + 4)
  return framed
}
