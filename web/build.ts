import { join } from 'node:path'
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
}

/** The oldest browsers with `light-dark()`. */
const TARGETS = { chrome: 123 << 16, firefox: 120 << 16, safari: (17 << 16) | (5 << 8) }

/** Builds everything that payers' pages load, in memory; takes some tens of milliseconds. */
export function buildAssets(): Promise<Assets> {
  return build('/checkout/assets/', 'checkout', 'checkout/island.tsx', 'styles/index.css')
}

/** The same for the dashboard. */
export function buildDashboardAssets(): Promise<Assets> {
  const [script, styles] = ['dashboard/island.tsx', 'styles/dashboard/index.css']
  return build('/dashboard/assets/', 'dashboard', script, styles)
}

async function build(path: string, name: string, entry: string, styles: string): Promise<Assets> {
  const script = await buildScript(entry)
  const [scriptName, stylesName] = [`${name}.js`, `${name}.css`]
  const files = new Map([
    [scriptName, asset(scriptName, script, 'text/javascript; charset=utf-8')],
    [stylesName, asset(stylesName, buildStyles(styles), 'text/css; charset=utf-8')],
  ])
  return {
    files: new Map([...files.values()].map((file) => [file.name, file])),
    url(name) {
      const file = files.get(name)
      if (file === undefined) throw new Error(`no page loads ${name}`)
      return `${path}${file.name}`
    },
  }
}

async function buildScript(entry: string): Promise<Uint8Array> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, entry)],
    target: 'browser',
    format: 'esm',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const [output] = built.outputs
  if (output === undefined) throw new Error(`nothing was built from ${entry}`)
  return new Uint8Array(await output.arrayBuffer())
}

function buildStyles(entry: string): Uint8Array {
  const filename = join(import.meta.dir, entry)
  return bundle({ filename, minify: true, targets: TARGETS }).code
}

function asset(name: string, made: Uint8Array, type: string): Asset {
  const bytes = new Uint8Array(made)
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 10)
  return {
    name: name.replace('.', `.${hash}.`),
    type,
    bytes,
    gzip: new Uint8Array(Bun.gzipSync(bytes, { level: 9 })),
  }
}
