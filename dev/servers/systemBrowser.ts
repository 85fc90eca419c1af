/**
 * The system's own Chromium with fonts for every language of the pages, as Debian packages them: found on
 * this machine, or installed from the package repository. The tests of pages run in it.
 */
import { existsSync } from 'node:fs'
import { canInstallPackages, installPackages } from './debianPackages.ts'

export const CHROMIUM = '/usr/bin/chromium'
/**
 * The browsers, the one that is wanted first: without a window it starts and draws at a quarter of the
 * processor's time. Older releases of Debian have the other one only.
 */
const BROWSERS = {
  'chromium-headless-shell': '/usr/bin/chromium-headless-shell',
  chromium: CHROMIUM,
}
/** The packages of fonts, and what shows that each is installed. */
const FONTS = {
  'fonts-noto-core': '/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf',
  'fonts-noto-cjk': '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
}

export const HOW_TO_GET_IT = `The pages were not tested, because there is no browser for it: install Debian's chromium-headless-shell, ${Object.keys(FONTS).join(', ')}.`

/** Where the browser is, or null without one. */
export function browserPath(): string | null {
  return Object.values(BROWSERS).find((file) => existsSync(file)) ?? null
}

/** Whether browser and fonts are there, or could be installed. `say` hears what is being installed. */
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
