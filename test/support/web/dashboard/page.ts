import { expect } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { SignedIn } from '../../api/people.ts'
import { expectAccessibleInBothColours } from '../accessibility.ts'

/** What tests of the dashboard's pages have in common. */

/** Gives a browser the session of somebody who has signed in elsewhere. */
export async function enterAs(
  context: BrowserContext,
  url: string,
  person: SignedIn,
): Promise<void> {
  const cookies = [...person.browser.cookies].map(([name, value]) => ({ name, value, url }))
  await context.addCookies(cookies)
}

/** Hears faults of scripts, and whatever the page's policy refuses. */
export function hearFaults(page: Page): string[] {
  const heard: string[] = []
  page.on('pageerror', (error) => heard.push(error.message))
  page.on('console', (message) => {
    const isPolicy = /Content Security Policy|Trusted/.test(message.text())
    if (isPolicy) heard.push(message.text())
  })
  return heard
}

/** Nothing is wrong with the page as it stands, in either colours, and nothing sticks out at any width. */
export async function inspect(page: Page, widths: readonly number[] = [320]): Promise<void> {
  await expectAccessibleInBothColours(page)
  const usual = page.viewportSize()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 720 })
    const { wide, room } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      room: innerWidth,
    }))
    expect({ width, wide }).toEqual({ width, wide: Math.min(wide, room) })
  }
  if (usual) await page.setViewportSize(usual)
}

export async function heading(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('heading', { name: text }).first().waitFor()
}
