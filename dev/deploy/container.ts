/** How an entry point of the development stack runs inside the image, as hardened as the chart runs it. */
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
  // Where limits may not be raised, they have to be named.
  '--ulimit=nofile=1024:4096',
  '--ulimit=nproc=4096:4096',
]

/** The containers of one check, apart from those of another one. */
export function containersOf(marker: string): { readonly launch: Launch; remove(): Promise<void> } {
  const name = (entry: EntryPoint['name']) => `remit-check-${marker}-${entry}`
  return {
    launch: (entry, variables) => ({
      command: Bun.which('podman') ?? 'podman',
      args: [
        ...['--runtime', 'runc', 'run', '--rm', '--replace', '--name', name(entry.name)],
        ...['--network=host', ...HARDENED],
        // By their names only, so that no list of processes shows a key.
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

/** What the stack adds to this machine's environment. */
function ownNames(variables: Variables): string[] {
  return Object.keys(variables).filter(
    (name) => variables[name] !== undefined && variables[name] !== process.env[name],
  )
}
