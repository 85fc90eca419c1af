import { type Colour, channels, contrast, hexadecimal } from '../../core/checkout/accent.ts'

const BLACK: Colour = [0, 0, 0]
const WHITE: Colour = [255, 255, 255]
/** The backgrounds, light and dark, on which the accent is hardest to read: --n2 of tokens.css. */
const LIGHT_GROUND: Colour = [0xef, 0xf1, 0xf4]
const DARK_GROUND: Colour = [0x26, 0x29, 0x2f]
/** The contrast that WCAG 2.2 requires of text. */
const READABLE = 4.5
const STEPS = 20

/**
 * The merchant's colour as rules of CSS: darker in the light and lighter in the dark until text in it and
 * on it can be read. Null for anything but `#rrggbb`.
 */
export function accentRules(accent: string): string | null {
  if (!/^#[0-9a-fA-F]{6}$/.test(accent)) return null
  const colour = channels(accent)
  const light = hexadecimal(readable(colour, LIGHT_GROUND, BLACK))
  const dark = hexadecimal(readable(colour, DARK_GROUND, WHITE))
  return `:root{--accent:light-dark(${light},${dark})}`
}

/** The colour nearest to this one, on its way to black or white, that can be read on the ground. */
export function readable(colour: Colour, ground: Colour, towards: Colour): Colour {
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(colour, towards, step / STEPS)
    if (contrast(mixed, ground) >= READABLE) return mixed
  }
  return towards
}

function mix(from: Colour, to: Colour, share: number): Colour {
  const part = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share)
  return [part(0), part(1), part(2)]
}
