import { expect, test } from 'bun:test'
import { dirname, join, relative } from 'node:path'
import { ROOT, source } from '../support/structure.ts'

/**
 * The packages that each process loads before it does anything. What few processes need, or only some callers (sign-in,
 * GraphQL, documents, metrics, emails), is imported where it is used.
 */

const EVERYWHERE = ['hash-wasm', 'ipaddr.js', 'postgres', 'viem', 'viem/utils']
const SIGNATURES = ['@noble/curves/secp256k1.js', 'viem/accounts']
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

/** The packages of a file and of what it imports, without dynamic imports. */
function packagesOf(entry: string): string[] {
  const packages = new Set<string>()
  const files = new Set([entry])
  for (const file of files) {
    const scanner = file.endsWith('.tsx') ? SCANNERS.tsx : SCANNERS.ts
    for (const { kind, path } of scanner.scanImports(source(file))) {
      if (kind === 'dynamic-import' || BUILT_IN.test(path)) continue
      if (!path.startsWith('.')) packages.add(path)
      else if (/\.tsx?$/.test(path)) files.add(relative(ROOT, join(ROOT, dirname(file), path)))
    }
  }
  return [...packages].sort()
}

test.each(Object.entries(AT_START))(
  '%s loads no other packages at its start',
  (entry, packages) => {
    expect(packagesOf(entry)).toEqual(packages.toSorted())
  },
)
