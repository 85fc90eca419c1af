import { expect } from 'bun:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What axe holds against pages. */

const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules among them that look at colours. Nothing else differs between a page's two colour schemes. */
const RULES_ON_COLOURS = ['color-contrast', 'link-in-text-block']

/** Nothing is wrong with the page as it stands, in its present colours. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothing(lookAt(page).withTags(RULES))
}

/** Nothing is wrong with the page as it stands, in either colours. Motion stays reduced. */
export async function expectAccessibleInBothColours(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNothing(lookAt(page).withRules(RULES_ON_COLOURS))
}

/** Within the page itself: otherwise each look opens a page of its own, which costs a process. */
function lookAt(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode(true)
}

async function expectNothing(builder: AxeBuilder): Promise<void> {
  const { violations } = await builder.analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([])
}
