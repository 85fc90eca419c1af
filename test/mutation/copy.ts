import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { signalProcess } from '../../dev/processes/child.ts'
import { processesIn } from '../../dev/processes/inspect.ts'
import { type Fault, planted } from './fault.ts'

/**
 * A copy of the working tree, in which faults are planted: the checkout is never modified. The
 * installed packages are shared with the checkout.
 */
export class Copy {
  readonly dir: string
  private readonly originals = new Map<string, string>()

  constructor(root: string) {
    this.dir = mkdtempSync(join(tmpdir(), 'remit-mutation-'))
    for (const file of filesOf(root)) {
      mkdirSync(dirname(join(this.dir, file)), { recursive: true })
      copyFileSync(join(root, file), join(this.dir, file))
    }
    symlinkSync(join(root, 'node_modules'), join(this.dir, 'node_modules'))
  }

  /** Plants them together, one or several to a file. */
  plant(...faults: readonly Fault[]): void {
    for (const [file, ofFile] of Map.groupBy(faults, (fault) => fault.file)) {
      const last = ofFile.toSorted((a, b) => b.start - a.start)
      writeFileSync(join(this.dir, file), last.reduce(planted, this.original(file)))
    }
  }

  restore(...faults: readonly Fault[]): void {
    for (const { file } of faults) writeFileSync(join(this.dir, file), this.original(file))
  }

  /** The text as it was copied: the checkout may be edited meanwhile. */
  private original(file: string): string {
    const text = this.originals.get(file) ?? readFileSync(join(this.dir, file), 'utf8')
    this.originals.set(file, text)
    return text
  }

  /** Ends what a killed test has left running in the copy. */
  sweep(): void {
    for (const pid of processesIn(this.dir)) signalProcess(pid, 'SIGKILL')
  }

  remove(): void {
    this.sweep()
    rmSync(this.dir, { recursive: true, force: true })
  }
}

/** The files of the working tree, committed or not, without what git ignores. */
function filesOf(root: string): string[] {
  const list = Bun.spawnSync(['git', 'ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
  if (list.exitCode !== 0) throw new Error(`git ls-files failed: ${list.stderr}`)
  const names = new Set(list.stdout.toString().split('\0').filter(Boolean))
  const gone = Bun.spawnSync(['git', 'ls-files', '-z', '-d'], { cwd: root })
  for (const name of gone.stdout.toString().split('\0')) names.delete(name)
  return [...names]
}
