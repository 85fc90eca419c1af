import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { browserPath, HOW_TO_GET_IT } from '../../../dev/servers/systemBrowser.ts'

/**
 * For a test of many pages on a machine that does much besides. It must not run out: with a test that takes
 * too long the runner ends every child process, and the browser of all tests after it.
 */
export const PATIENCE_MS = 600_000
/** For one step of a page, which says what it waited for in vain. */
export const STEP_MS = 120_000

/** Debian's Chromium, which makes no requests of its own, and draws with the same fonts everywhere. */
export function openBrowser(): Promise<Browser> {
  const executablePath = browserPath()
  if (executablePath === null) throw new Error(HOW_TO_GET_IT)
  return chromium.launch({
    executablePath,
    env: { ...process.env, FONTCONFIG_FILE: join(import.meta.dir, 'fonts.conf') },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--font-render-hinting=none',
    ],
  })
}
