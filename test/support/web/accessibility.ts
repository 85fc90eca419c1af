import { expect } from 'bun:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What axe holds against pages. */

const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules among them that look at colours. Nothing else differs between a page's two colour schemes. */
const RULES_ON_COLOURS = ['color-contrast', 'link-in-text-block']

/** Nothing is wrong with the page as it stands, in its present colours. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothing(page, (axe) => axe.withTags(RULES))
}

/** Nothing is wrong with the page as it stands, in either colours. Motion stays reduced. */
export async function expectAccessibleInBothColours(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNothing(page, (axe) => axe.withRules(RULES_ON_COLOURS))
}

/**
 * Looks once all colours have arrived: on the way to them they may have too little contrast. It looks within the page
 * itself: otherwise each look opens a page of its own, which costs a process.
 */
async function expectNothing(page: Page, by: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition)
    await Promise.allSettled(transitions.map(({ finished }) => finished))
  })
  const { violations } = await by(new AxeBuilder({ page }).setLegacyMode(true)).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([])
}
