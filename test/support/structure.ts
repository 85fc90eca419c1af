/** The code as files and what they import, for tests of its structure. */
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
/** Says which release this is, to what needs to know it. */
const MANIFEST = 'package.json'

export interface Import {
  readonly file: string
  readonly target: string
}

/** Every file of the house, by its path from the root. */
export const FILES = [
  ...new Bun.Glob(
    '{core,store,chain,web,metrics,api,workers,indexer,cli,contracts,sdk,dev,examples,test,bench}/**/*.{ts,tsx}',
  ).scanSync({ cwd: ROOT }),
].filter((file) => !/node_modules\/|^sdk\/dist\//.test(file))

/** Every Markdown file of the repository. */
export const DOCUMENTS = ['*.md', '{.github,contracts,deploy,docs,sdk,store}/**/*.md']
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })])
  .filter((file) => !file.includes('node_modules/'))

/** What they import of each other, statically or dynamically. */
export const IMPORTS: readonly Import[] = FILES.flatMap((file) =>
  [...source(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) => ({
    file,
    target: relative(ROOT, join(ROOT, dirname(file), path)),
  })),
).filter(({ target }) => target !== MANIFEST)

export function source(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

export function room(file: string): string {
  return file.split('/')[0] ?? ''
}

/** A circle that these imports make between what `unit` says their files belong to; null without one. */
export function circleOf(
  imports: readonly Import[],
  unit: (file: string) => string,
): string[] | null {
  const arrows = new Map<string, Set<string>>()
  for (const { file, target } of imports) {
    const [from, to] = [unit(file), unit(target)]
    if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
  }
  const done = new Set<string>()
  const walk = (station: string, path: readonly string[]): string[] | null => {
    if (path.includes(station)) return [...path.slice(path.indexOf(station)), station]
    if (done.has(station)) return null
    for (const next of arrows.get(station) ?? []) {
      const circle = walk(next, [...path, station])
      if (circle) return circle
    }
    done.add(station)
    return null
  }
  for (const station of arrows.keys()) {
    const circle = walk(station, [])
    if (circle) return circle
  }
  return null
}
