/** Runs the pinned Forge and reads what it built. */
import { dirname, join } from 'node:path'

const HERE = import.meta.dir
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The native binary itself: one process less than its JavaScript wrapper. */
export function forgeBinary(): string {
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

/**
 * Runs Forge in this folder and answers its exit code and output.
 * @param show Lets the output through to the terminal as well as the exit code; stdout is then ''.
 */
export async function forge(
  args: readonly string[],
  show = false,
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const child = Bun.spawn([forgeBinary(), ...args], {
    cwd: HERE,
    // The runtime that compiles is this one: started by npx, it need not be on PATH.
    env: { ...process.env, SOLC_RUNTIME: process.execPath },
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

/** Compiles the sources without their tests; throws with the compiler's words if that fails. */
export async function compile(): Promise<void> {
  const { exitCode, stdout, stderr } = await forge(['build', 'src'])
  if (exitCode !== 0) throw new Error(`The contracts do not compile.\n${stdout}${stderr}`)
}

function text(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  return stream === undefined ? Promise.resolve('') : new Response(stream).text()
}
