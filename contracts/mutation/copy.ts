import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { compiledHub } from './compiler.ts'
import type { Mutant } from './guards.ts'

const CONTRACTS = join(import.meta.dirname, '..')
/** Where Forge puts it with the profile of the tests. */
const COMPILED_HUB = 'out/tests/RemitHub.sol/RemitHub.json'

/** The result of one run of the Foundry tests. */
export interface TestRun {
  /** False when the sources do not compile. */
  readonly compiled: boolean
  readonly failed: readonly string[]
}

/** A test that failed; the name of an invariant is below the calls that broke it. */
const FAILED = /^(?:\[FAIL.*\]| (?=invariant_)) ?(\w+)\(/gm

/** A copy of this folder in which guards are removed, so that the checkout is never modified. */
export class Copy {
  private readonly root = mkdtempSync(join(tmpdir(), 'remit-mutation-'))
  readonly dir = join(this.root, 'contracts')
  private child: Bun.Subprocess | null = null

  constructor() {
    const isSource = (path: string) => !['out', 'cache'].includes(basename(path))
    cpSync(CONTRACTS, this.dir, { recursive: true, filter: isSource })
    symlinkSync(join(CONTRACTS, '../node_modules'), join(this.root, 'node_modules'))
  }

  read(file: string): string {
    return readFileSync(join(this.dir, file), 'utf8')
  }

  plant({ file, start, find, put }: Mutant): void {
    const text = this.read(file)
    if (!text.startsWith(find, start)) throw new Error(`${file} has no "${find}" at ${start}`)
    this.write(file, text.slice(0, start) + put + text.slice(start + find.length))
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.dir, file), text)
  }

  /**
   * Has the tests deploy the hub as its sources are now: they take it from what Forge has compiled, and
   * that is replaced. Answers false if the sources do not compile.
   */
  async replaceHub(): Promise<boolean> {
    const bytecode = await compiledHub(this.dir)
    if (bytecode === null) return false
    const path = join(this.dir, COMPILED_HUB)
    const built: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof built !== 'object' || built === null || !('bytecode' in built)) {
      throw new Error(`${path} has no bytecode`)
    }
    const old = built.bytecode
    if (typeof old !== 'object') throw new Error(`the bytecode in ${path} is none`)
    writeFileSync(path, JSON.stringify({ ...built, bytecode: { ...old, object: bytecode } }))
    return true
  }

  /** Runs Foundry's tests. */
  async test(flags: readonly string[]): Promise<TestRun> {
    this.child = Bun.spawn([process.execPath, 'build.ts', 'test', ...flags], {
      cwd: this.dir,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: {
        ...process.env,
        FOUNDRY_FUZZ_SEED: '1',
        NO_COLOR: '1',
      },
    })
    const { stdout, stderr } = this.child
    if (!(stdout instanceof ReadableStream) || !(stderr instanceof ReadableStream)) {
      throw new Error('the output of the tests is not piped')
    }
    const [text, faults, code] = await Promise.all([
      new Response(stdout).text(),
      new Response(stderr).text(),
      this.child.exited,
    ])
    const failed = [...text.matchAll(FAILED)].map(([, name = '']) => name)
    if (code !== 0 && failed.length === 0 && !/Compiler run failed/.test(text + faults)) {
      throw new Error(`Foundry's tests did not run:\n${text.slice(-2000)}${faults.slice(-2000)}`)
    }
    return { compiled: code === 0 || failed.length > 0, failed: [...new Set(failed)] }
  }

  remove(): void {
    this.child?.kill('SIGKILL')
    rmSync(this.root, { recursive: true, force: true })
  }
}
