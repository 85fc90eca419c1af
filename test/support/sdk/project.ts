import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPackage } from '../../../dev/sdk/package.ts'
import { SDK } from '../../../dev/sdk/schema.ts'

/** Projects that have nothing of this one but the packed SDK. */

const ROOT = join(SDK, '..')
/** What the package depends on is packed as it is installed here, so that no registry is asked. */
const PACKED = ['sdk', 'node_modules/openapi-fetch', 'node_modules/openapi-typescript-helpers']

/** This project's own, which needs a tenth of the time of the one before it. */
const COMPILER = join(ROOT, 'node_modules/.bin/tsc')

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    outDir: 'built',
  },
  files: ['merchant.ts'],
}

export interface Projects {
  /** With the package installed by npm, and the program compiled under strict types. */
  readonly node: string
  /** With the package installed by Bun. */
  readonly bun: string
  remove(): void
}

/** Packs the SDK and installs it twice. */
export async function createProjects(compiler = COMPILER): Promise<Projects> {
  const home = mkdtempSync(join(tmpdir(), 'remit-sdk-'))
  const [node, bun] = [join(home, 'node'), join(home, 'bun')]
  await buildPackage()
  for (const folder of PACKED) {
    await run(join(ROOT, folder), 'npm', 'pack', '--ignore-scripts', '--pack-destination', home)
  }
  const packages = readdirSync(home).map((name) => join(home, name))
  for (const folder of [node, bun]) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
    copyFileSync(join(import.meta.dirname, 'merchant.ts'), join(folder, 'merchant.ts'))
  }
  await run(node, 'npm', 'install', '--offline', '--no-audit', '--no-fund', ...packages)
  await run(bun, process.execPath, 'add', ...packages)
  await run(node, process.execPath, compiler)
  return { node, bun, remove: () => rmSync(home, { recursive: true, force: true }) }
}

/** Runs a command to its end and returns what it printed. Throws all of it when the command fails. */
export async function run(cwd: string, ...command: readonly string[]): Promise<string> {
  return runWith({}, cwd, ...command)
}

export async function runWith(
  variables: Readonly<Record<string, string>>,
  cwd: string,
  ...command: readonly string[]
): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...variables },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [printed, words] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}:\n${printed}${words}`)
  return printed
}
