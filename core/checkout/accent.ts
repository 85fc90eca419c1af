/** Whether a colour can be seen: WCAG 2.2, relative luminance and contrast ratio. */

/** Red, green and blue, from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

const WHITE: Colour = [255, 255, 255]

/** What parts of a page that can be used must have to what is beside them: WCAG 2.2, 1.4.11. */
export const LEAST_CONTRAST = 3

/** The contrast of `#rrggbb` with white, from 1 to 21. */
export function contrastWithWhite(colour: string): number {
  return contrast(channels(colour), WHITE)
}

/** The contrast of two colours, from 1 to 21. */
export function contrast(a: Colour, b: Colour): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

/** The same hue, as dark as it has to be. */
export function darkened(colour: string): string {
  let [red, green, blue] = channels(colour)
  const darker = (channel: number) => Math.max(0, Math.floor(channel * 0.97) - 1)
  while (contrast([red, green, blue], WHITE) < LEAST_CONTRAST) {
    ;[red, green, blue] = [darker(red), darker(green), darker(blue)]
  }
  return hexadecimal([red, green, blue])
}

/** The channels of `#rrggbb`. */
export function channels(colour: string): Colour {
  const at = (start: number) => Number.parseInt(colour.slice(start, start + 2), 16)
  return [at(1), at(3), at(5)]
}

/** As `#rrggbb`. */
export function hexadecimal(colour: Colour): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function luminance([red, green, blue]: Colour): number {
  const linear = (channel: number) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
