/** Whether a merchant's colour can be seen: WCAG 2.2, relative luminance and contrast ratio. */

/** What parts of a page that can be used must have to what is beside them: WCAG 2.2, 1.4.11. */
export const LEAST_CONTRAST = 3

/** The contrast of `#rrggbb` with white, from 1 to 21. */
export function contrastWithWhite(colour: string): number {
  return 1.05 / (luminance(channels(colour)) + 0.05)
}

/** The same hue, as dark as it has to be. */
export function darkened(colour: string): string {
  let shade = channels(colour)
  while (1.05 / (luminance(shade) + 0.05) < LEAST_CONTRAST) {
    shade = shade.map((channel) => Math.max(0, Math.floor(channel * 0.97) - 1))
  }
  return `#${shade.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function channels(colour: string): readonly number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
}

function luminance(shade: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = shade.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
