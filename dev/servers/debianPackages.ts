import { runToEnd } from '../processes/command.ts'

/** Timeout of an unreachable package repository. */
const RETRY_OPTIONS = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20']

/** Whether this process may install Debian packages. */
export function canInstallPackages(): boolean {
  return Bun.which('apt-get') !== null && process.getuid?.() === 0
}

/** Installs packages without recommended ones; true on success. */
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
