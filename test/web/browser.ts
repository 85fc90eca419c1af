import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { CHROMIUM, HOW_TO_GET_IT } from '../../dev/servers/systemBrowser.ts'

/** Debian's Chromium, which asks nobody on the network for anything. */
export function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(HOW_TO_GET_IT)
  return chromium.launch({
    executablePath: CHROMIUM,
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
