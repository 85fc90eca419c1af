import { encode } from 'uqr'

/** A rendered QR code: its text, and its dark modules as a path on a grid of `size` modules. */
export interface DrawnCode {
  readonly text: string
  readonly size: number
  readonly dark: string
}

/**
 * Draws a QR code with the quiet zone of four modules that readers need. It is tried with each of eight masks:
 * a phone is busy for longer with that than with all the rest of a page.
 */
export function drawCode(text: string): DrawnCode {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  let dark = ''
  data.forEach((row, y) => {
    for (let x = 0; x < size; x += 1) {
      if (!row[x]) continue
      const from = x
      while (row[x + 1]) x += 1
      dark += `M${from} ${y}h${x - from + 1}v1h-${x - from + 1}z`
    }
  })
  return { text, size, dark }
}
