/** Runs an entry point of the development stack in the image, hardened like in the chart. */
import type { Variables } from '../../core/config/reader.ts'
import type { Launch } from '../stack/entries.ts'
import type { EntryPoint } from '../stack/home.ts'
import { IMAGE } from './image.ts'
import { run } from './tools.ts'

const NAMES: readonly EntryPoint['name'][] = ['worker', 'api', 'indexer']
const HARDENED = [
  '--read-only',
  '--tmpfs=/tmp',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  // Limits must be set explicitly where they may not be raised.
  '--ulimit=nofile=1024:4096',
  '--ulimit=nproc=4096:4096',
]

/** Separates the containers of concurrent checks. */
export function containersOf(marker: string): { readonly launch: Launch; remove(): Promise<void> } {
  const name = (entry: EntryPoint['name']) => `remit-check-${marker}-${entry}`
  return {
    launch: (entry, variables) => ({
      command: Bun.which('podman') ?? 'podman',
      args: [
        ...['--runtime', 'runc', 'run', '--rm', '--replace', '--name', name(entry.name)],
        ...['--network=host', ...HARDENED],
        // Only by name, so that the process list shows no key.
        ...ownNames(variables).flatMap((variable) => ['--env', variable]),
        ...['--env', 'HOST=127.0.0.1', IMAGE, entry.script],
      ],
      env: variables,
    }),
    async remove() {
      for (const entry of NAMES) await run(['podman', 'rm', '--force', '--ignore', name(entry)])
    },
  }
}

/** The variables that the stack adds to this machine's environment. */
function ownNames(variables: Variables): string[] {
  return Object.keys(variables).filter(
    (name) => variables[name] !== undefined && variables[name] !== process.env[name],
  )
}
