import { runToEnd } from '../processes/command.ts'

/** A package repository that is away is not waited for. */
const RETRY_OPTIONS = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20']

/** Whether this process may install packages of Debian or Ubuntu. */
export function canInstallPackages(): boolean {
  return Bun.which('apt-get') !== null && process.getuid?.() === 0
}

/** Installs packages with nothing that they only recommend; true when they are there. */
export async function installPackages(
  names: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const options = [
    '-y',
    '--no-install-recommends',
    '-o',
    'DPkg::Lock::Timeout=120',
    ...RETRY_OPTIONS,
  ]
  const command = ['apt-get', 'install', ...options, ...names]
  if ((await runToEnd(command, { signal })) === undefined) return true
  await runToEnd(['apt-get', 'update', ...RETRY_OPTIONS], { signal })
  return (await runToEnd(command, { signal })) === undefined
}
