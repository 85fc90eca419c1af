import { basename, join } from 'node:path'
import { bundle } from 'lightningcss'

/** One file that pages load: its bytes as they are, and compressed. */
export interface Asset {
  /** With a part of its hash in it: under this name it never changes. */
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
}

export interface Assets {
  /** By the name that pages call them by. */
  readonly files: ReadonlyMap<string, Asset>
  /** Where a page finds a file, e.g. `/checkout/assets/checkout.3f9a1c20be.js`. */
  url(name: string): string
  /** Where the scripts are that the first one can't begin without. */
  readonly needed: readonly string[]
}

const JAVASCRIPT = 'text/javascript; charset=utf-8'
/** The oldest browsers with `light-dark()`. */
const TARGETS = { chrome: 123 << 16, firefox: 120 << 16, safari: (17 << 16) | (5 << 8) }

/** Builds everything that payers' pages load, in memory; takes some tens of milliseconds. */
export async function buildAssets(): Promise<Assets> {
  const files = [
    ...namedScripts(await buildScripts('checkout/island.tsx'), 'checkout.js'),
    { name: 'checkout.css', file: styles('checkout.css', 'styles/payers.css') },
  ]
  return assetsOf('/checkout/assets/', files, [])
}

/** The same for the dashboard, whose pages are loaded on navigation. */
export async function buildDashboardAssets(): Promise<Assets> {
  const scripts = await buildScripts('dashboard/island.tsx')
  const entry = scripts.find(({ isEntry }) => isEntry)
  if (entry === undefined) throw new Error('nothing was built for the dashboard')
  const files = namedScripts(scripts, 'dashboard.js')
  const stylesheet = {
    name: 'dashboard.css',
    file: styles('dashboard.css', 'styles/dashboard.css'),
  }
  // For the preview of what payers see.
  const checkout = { name: 'checkout.css', file: styles('checkout.css', 'styles/payers.css') }
  const all = [...files, stylesheet, checkout]
  return assetsOf('/dashboard/assets/', all, neededBy(entry.name, scripts))
}

interface NamedAsset {
  readonly name: string
  readonly file: Asset
}

function assetsOf(path: string, named: readonly NamedAsset[], needed: readonly string[]): Assets {
  return {
    files: new Map(named.map(({ file }) => [file.name, file])),
    needed: needed.map((name) => `${path}${name}`),
    url(wanted) {
      const found = named.find(({ name }) => name === wanted)
      if (found === undefined) throw new Error(`no page loads ${wanted}`)
      return `${path}${found.file.name}`
    },
  }
}

interface Script {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly isEntry: boolean
}

/** Scripts under the bundler's names, because they name each other. */
function namedScripts(scripts: readonly Script[], entry: string): readonly NamedAsset[] {
  return scripts.map(({ name, bytes, isEntry }) => ({
    name: isEntry ? entry : name,
    file: compressed(name, JAVASCRIPT, bytes),
  }))
}

async function buildScripts(entry: string): Promise<Script[]> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, entry)],
    target: 'browser',
    format: 'esm',
    minify: true,
    splitting: true,
    naming: { entry: '[name].[hash].[ext]', chunk: '[name].[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return Promise.all(
    built.outputs.map(async (output) => ({
      name: basename(output.path),
      bytes: new Uint8Array(await output.arrayBuffer()),
      isEntry: output.kind === 'entry-point',
    })),
  )
}

/** The scripts that one can't begin without, and those that they can't: what `import` names at its top. */
function neededBy(name: string, scripts: readonly Script[]): readonly string[] {
  const needed = new Set([name])
  for (const one of needed) {
    const text = new TextDecoder().decode(scripts.find((script) => script.name === one)?.bytes)
    for (const [, other = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      needed.add(other)
  }
  return [...needed].filter((one) => one !== name)
}

function styles(name: string, entry: string): Asset {
  const filename = join(import.meta.dir, entry)
  const { code } = bundle({ filename, minify: true, targets: TARGETS })
  return asset(name, code, 'text/css; charset=utf-8')
}

/** A file whose name gets a part of its hash. */
function asset(name: string, made: Uint8Array, type: string): Asset {
  const bytes = new Uint8Array(made)
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 10)
  return compressed(name.replace('.', `.${hash}.`), type, bytes)
}

function compressed(name: string, type: string, bytes: Uint8Array<ArrayBuffer>): Asset {
  return { name, type, bytes, gzip: new Uint8Array(Bun.gzipSync(bytes, { level: 9 })) }
}
