/** Runs the pinned Forge and reads what it built. */
import { dirname, join } from 'node:path'

const HERE = import.meta.dir
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The native binary itself: one process less than its JavaScript wrapper. */
function forgeBinary(): string {
  const arch = ARCHITECTURES[process.arch] ?? process.arch
  const name = `@foundry-rs/forge-${process.platform}-${arch}`
  try {
    const manifest = Bun.resolveSync(`${name}/package.json`, HERE)
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'forge.exe' : 'forge')
  } catch (cause) {
    throw new Error(`Forge for this machine (${name}) is not installed; run bun install.`, {
      cause,
    })
  }
}

/** How Forge is run. */
interface Options {
  /** Lets the output through to the terminal; what is answered of it is then ''. */
  readonly show?: boolean
  /** A profile of foundry.toml. */
  readonly profile?: string
  /** Another folder of contracts than this. */
  readonly cwd?: string
}

/** Runs Forge in this folder and answers its exit code and output. */
export async function forge(
  args: readonly string[],
  { show = false, profile, cwd = HERE }: Options = {},
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const child = Bun.spawn([forgeBinary(), ...args], {
    cwd,
    // The runtime that compiles is this one: started by npx, it need not be on PATH.
    env: {
      ...process.env,
      ...(profile === undefined ? {} : { FOUNDRY_PROFILE: profile }),
      SOLC_RUNTIME: process.execPath,
    },
    stdin: 'ignore',
    stdout: show ? 'inherit' : 'pipe',
    stderr: show ? 'inherit' : 'pipe',
  })
  const [stdout, stderr, exitCode] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exited,
  ])
  return { exitCode, stdout, stderr }
}

/** Compiles what has an artifact, without the tests; throws with the compiler's words if that fails. */
export async function compile(): Promise<void> {
  const { exitCode, stdout, stderr } = await forge(['build', 'src', 'test/stand-ins'])
  if (exitCode !== 0) throw new Error(`The contracts do not compile.\n${stdout}${stderr}`)
}

function text(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  return stream === undefined ? Promise.resolve('') : new Response(stream).text()
}
