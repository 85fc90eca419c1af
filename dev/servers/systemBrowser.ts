/**
 * The system's own Chromium with fonts for every language of the pages, as Debian packages them: found on
 * this machine, or installed from the package repository. The tests of pages run in it.
 */
import { existsSync } from 'node:fs'
import { canInstallPackages, installPackages } from './debianPackages.ts'

export const CHROMIUM = '/usr/bin/chromium'
/** The packages, and what shows that each is installed. */
const PACKAGES = {
  chromium: CHROMIUM,
  'fonts-noto-core': '/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf',
  'fonts-noto-cjk': '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
}

export const HOW_TO_GET_IT = `The pages were not tested, because there is no browser for it: install Debian's ${Object.keys(PACKAGES).join(', ')}.`

/** Whether browser and fonts are there, or could be installed. `say` hears what is being installed. */
export async function systemBrowser(
  say: (sentence: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const missing = missingPackages()
  if (missing.length === 0) return true
  if (!canInstallPackages()) return false
  say(`Installing Debian packages for the tests of pages with apt-get: ${missing.join(', ')}.`)
  return (await installPackages(missing, signal)) && missingPackages().length === 0
}

function missingPackages(): readonly string[] {
  return Object.entries(PACKAGES)
    .filter(([, file]) => !existsSync(file))
    .map(([name]) => name)
}
