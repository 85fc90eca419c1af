import { expect } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { expectAccessible } from './accessibility.ts'

/** What holds of every page, whatever it shows. */

/** What the page has complained of since it was last asked. */
export interface Complaints {
  take(): readonly string[]
}

/** Hears errors of scripts, and what the page's policy forbids: Chromium reports that to the console. */
export function hearComplaints(page: Page): Complaints {
  const heard: string[] = []
  page.on('console', (message) => message.type() === 'error' && heard.push(message.text()))
  page.on('pageerror', (error) => heard.push(error.message))
  return { take: () => heard.splice(0) }
}

/**
 * Hears what goes wrong in any page of a browser from now on: what a policy forbids, and errors of scripts.
 * That a server is away is nothing of this.
 */
export function hearViolations(context: BrowserContext): readonly string[] {
  const heard: string[] = []
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) heard.push(message.text())
  })
  context.on('weberror', (fault) => heard.push(fault.error().message))
  return heard
}

/** Nothing against accessibility, no scrolling sideways, and no complaint. */
export async function expectSound(page: Page, complaints: Complaints): Promise<void> {
  await expectAccessible(page)
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(wider).toBeLessThanOrEqual(0)
  expect(complaints.take()).toEqual([])
}

/** Waits until the page is alive: then times are in the payer's own zone. */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('time')?.textContent?.endsWith('UTC') !== true,
  )
}

/** A checkout page in a browser says what the server has written. */
export async function expectSame(alive: Page, written: Page): Promise<void> {
  const [now, before] = await Promise.all([textOf(alive), textOf(written)])
  expect(now).toBe(before)
}

/** The page's text without times, which each browser shows in its own zone, and links that only a browser can make. */
function textOf(shown: Page): Promise<string> {
  return shown.evaluate(() => {
    const copy = document.querySelector('#checkout')?.cloneNode(true)
    if (!(copy instanceof Element)) return ''
    for (const time of copy.querySelectorAll('time, [role=timer], .apps')) time.remove()
    return copy.innerHTML
  })
}
