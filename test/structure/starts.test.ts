import { expect, test } from 'bun:test'
import { dirname, join, relative } from 'node:path'
import { FILES, ROOT, source } from '../support/structure.ts'

/**
 * The packages that each process loads before it does anything. What few processes need, or only some callers (sign-in,
 * GraphQL, documents, metrics, emails), is imported where it is used.
 */

const EVERYWHERE = ['hash-wasm', 'ipaddr.js', 'postgres', 'viem']
const SIGNATURES = ['@noble/curves/secp256k1.js', 'viem/accounts', 'viem/utils']
const PAGES = ['preact', 'preact-render-to-string', 'preact/hooks', 'uqr']
const ROUTES = ['@sinclair/typebox', '@sinclair/typebox/compiler', 'elysia']

const AT_START: Readonly<Record<string, readonly string[]>> = {
  'api/main.ts': [...EVERYWHERE, ...SIGNATURES, ...PAGES, ...ROUTES, 'bullmq', 'pino'],
  'workers/main.ts': [...EVERYWHERE, ...SIGNATURES, 'bullmq', 'pino'],
  'indexer/main.ts': [...EVERYWHERE, 'pino'],
  'cli/main.ts': [...EVERYWHERE, ...SIGNATURES],
  // It runs before the packages are installed.
  'dev/main.ts': [],
}

const SCANNERS = {
  ts: new Bun.Transpiler({ loader: 'ts' }),
  tsx: new Bun.Transpiler({ loader: 'tsx' }),
}
/** Bun's own, also the names under which it reads JSX. */
const BUILT_IN = /^(node:|bun\b|react\b)/

/** These files and what they import, without dynamic imports, and the packages of all of them. */
function closureOf(entries: readonly string[]) {
  const packages = new Set<string>()
  const files = new Set(entries)
  for (const file of files) {
    const scanner = file.endsWith('.tsx') ? SCANNERS.tsx : SCANNERS.ts
    for (const { kind, path } of scanner.scanImports(source(file))) {
      if (kind === 'dynamic-import' || BUILT_IN.test(path)) continue
      if (!path.startsWith('.')) packages.add(path)
      else if (/\.tsx?$/.test(path)) files.add(relative(ROOT, join(ROOT, dirname(file), path)))
    }
  }
  return { packages: [...packages].sort(), files: [...files].sort() }
}

test.each(Object.entries(AT_START))(
  '%s loads no other packages at its start',
  (entry, packages) => {
    expect(closureOf([entry]).packages).toEqual(packages.toSorted())
  },
)

test('the bundler of Ponder transforms only what Ponder runs', () => {
  const own = FILES.filter((file) => /^indexer\/(ponder\.(config|schema)|src\/.*)\.ts$/.test(file))
  expect(own.length).toBeGreaterThan(4)
  expect(closureOf(own).files).toEqual([...own, 'core/chain/words.ts'].sort())
})
