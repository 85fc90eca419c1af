import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { STATE_NAMES } from '../support/web/checkoutStates.ts'
import { CASES } from '../support/web/dashboard/pages.ts'
import { GOLDENS, SHOWN, THEMES } from '../support/web/pictures.ts'
import { REFUSALS } from '../support/web/site.ts'

/** The golden pictures are complete, and documents show none but them. */

const DOCUMENTS = join(import.meta.dirname, '../../docs')
const shown = readdirSync(SHOWN)

test('each page has one golden picture of each theme, and there are no others', () => {
  const states = [...STATE_NAMES, ...REFUSALS].flatMap((name) =>
    THEMES.map(({ theme }) => `checkout/${name}-${theme}.png`),
  )
  const pages = CASES.flatMap(({ name, hasData }) =>
    THEMES.filter(({ locale }) => locale === 'en').map(
      ({ theme }) => `dashboard/${name}${hasData ? '' : '-empty'}-${theme}.png`,
    ),
  )
  const all = [...states, ...pages]
  const isShown = (path: string) => shown.includes(path.split('/')[1] ?? '')
  const kept = ['checkout', 'dashboard'].flatMap((kind) =>
    readdirSync(join(GOLDENS, kind)).map((file) => `${kind}/${file}`),
  )
  expect(kept.toSorted()).toEqual(all.filter((path) => !isShown(path)).toSorted())
  expect(all.filter(isShown)).toHaveLength(shown.length)
})

test('every picture that a document shows is there, and is a golden one', () => {
  const pictures = readdirSync(DOCUMENTS)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => [
      ...readFileSync(join(DOCUMENTS, name), 'utf8').matchAll(/!\[[^\]]+\]\(pictures\/([^)]+)\)/g),
    ])
    .map(([, file]) => file ?? '')
  expect(pictures.toSorted()).toEqual(shown.toSorted())
})
