/**
 * The system's Chromium with fonts for every language of the pages, from Debian's packages: found on
 * this machine, or installed from the package repository. Tests of pages use it.
 */
import { existsSync } from 'node:fs'
import { canInstallPackages, installPackages } from './debianPackages.ts'

export const CHROMIUM = '/usr/bin/chromium'
/**
 * The browsers, in order of preference: the headless one starts and draws at a quarter of the
 * CPU time. Older Debian releases have only the other one.
 */
const BROWSERS = {
  'chromium-headless-shell': '/usr/bin/chromium-headless-shell',
  chromium: CHROMIUM,
}
/** The font packages, with a file that shows that each is installed. */
const FONTS = {
  'fonts-dejavu-core': '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
  'fonts-noto-core': '/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf',
  'fonts-noto-cjk': '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
}

export const HOW_TO_GET_IT = `The pages were not tested, because there is no browser: install Debian's chromium-headless-shell, ${Object.keys(FONTS).join(', ')}.`

/** The path of the browser, or null without one. */
export function browserPath(): string | null {
  return Object.values(BROWSERS).find((file) => existsSync(file)) ?? null
}

/** Whether browser and fonts are installed, or were installed now. `say` reports installations. */
export async function systemBrowser(
  say: (sentence: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  for (const [name, path] of Object.entries(BROWSERS)) {
    const missing = () => missingOf({ [name]: path, ...FONTS })
    if (missing().length === 0) return true
    if (!canInstallPackages()) continue
    say(`Installing Debian packages for the tests of pages with apt-get: ${missing().join(', ')}.`)
    if ((await installPackages(missing(), signal)) && missing().length === 0) return true
  }
  return false
}

function missingOf(packages: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(packages)
    .filter(([, file]) => !existsSync(file))
    .map(([name]) => name)
}
