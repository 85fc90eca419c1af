import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Copy } from './copy.ts'
import { diffOf, type Fault, keyOf, lineOf, planted } from './fault.ts'
import { type Imports, inOrder } from './reach.ts'
import { hashOf, type Result, type Results } from './results.ts'
import { runTest, type Servers, type TestRun } from './testRun.ts'

/** The longest that a test without a fault may take. */
const CLEAN_LIMIT_S = 600

interface Options {
  readonly root: string
  readonly servers: Servers
  readonly imports: Imports
  readonly results: Results
  /** How long the tests of one fault may take together. */
  readonly seconds: number
  readonly say: (sentence: string) => void
}

/** Tries faults, and remembers which tests pass without one. */
export class Trials {
  private readonly transpiler = new Bun.Transpiler({ loader: 'ts' })
  /** What a test file did without a fault. */
  private readonly clean = new Map<string, TestRun>()
  private readonly seconds = new Map<string, number>()

  constructor(private readonly options: Options) {}

  /** The stored result of a fault, if the file and the tests it depends on are still the same. */
  known(fault: Fault): Result | undefined {
    const result = this.options.results.get(keyOf(fault))
    if (result === undefined) return undefined
    if (result.hash !== this.hash(fault, result.by?.file)) return undefined
    return { ...result, line: lineOf(this.text(fault), fault) }
  }

  /** Plants a fault and runs the tests that reach it until one fails or the time is over. */
  async attempt(copy: Copy, fault: Fault): Promise<Result> {
    const started = performance.now()
    const finish = (outcome: Result['outcome'], ran: number, by?: Result['by']): Result => {
      const seconds = Math.round((performance.now() - started) / 1000)
      const result = { ...this.describe(fault), outcome, ran, seconds }
      const hash = this.hash(fault, by?.file)
      return by === undefined ? { ...result, hash } : { ...result, by, hash }
    }
    if (!this.parses(fault)) return finish('invalid', 0)
    let ran = 0
    try {
      for (const test of this.testsOf(fault).filter((name) => !this.isBroken(name))) {
        const left = this.options.seconds - (performance.now() - started) / 1000
        if (left < 1) break
        copy.plant(fault)
        const run = await runTest(copy, this.options.servers, test, left)
        copy.restore(fault)
        ran++
        if (run.passed) this.seconds.set(test, run.seconds)
        else if (await this.isKill(copy, test, run)) {
          return finish('killed', ran, { file: test, test: run.timedOut ? 'hangs' : run.failed })
        }
      }
    } finally {
      copy.restore(fault)
    }
    return finish('survived', ran)
  }

  private isBroken(test: string): boolean {
    return this.clean.get(test)?.passed === false
  }

  private parses(fault: Fault): boolean {
    if (!fault.file.endsWith('.ts')) return true
    try {
      this.transpiler.transformSync(planted(this.text(fault), fault))
      return true
    } catch {
      return false
    }
  }

  /**
   * Whether the fault is why a test failed: without it, the test passes. A test that was stopped by
   * the time limit hangs if it takes less than a third of the time without the fault.
   */
  private async isKill(copy: Copy, test: string, run: TestRun): Promise<boolean> {
    const limit = run.timedOut ? run.seconds / 3 : CLEAN_LIMIT_S
    let clean = this.clean.get(test)
    if (clean === undefined) {
      clean = await runTest(copy, this.options.servers, test, limit)
      if (clean.timedOut) return false
      this.clean.set(test, clean)
    }
    if (!clean.passed) {
      this.options.say(`${test} fails without a fault: ${clean.failed ?? 'outside of a test'}`)
      return false
    }
    return clean.seconds < limit
  }

  /** The tests to run, in their order, without those that fail anyway. */
  private testsOf(fault: Fault): readonly string[] {
    if (fault.tests) return fault.tests
    const kills = this.options.results.killsIn(fault.file)
    return inOrder(
      this.options.imports.testsOf(fault.file),
      fault.file,
      (test) => kills.get(test) ?? 0,
      (test) => this.seconds.get(test) ?? 0,
    )
  }

  private describe(fault: Fault) {
    const text = this.text(fault)
    return {
      ...{ key: keyOf(fault), file: fault.file, line: lineOf(text, fault), name: fault.name },
      ...diffOf(text, fault),
      reaching: this.testsOf(fault).length,
    }
  }

  private hash(fault: Fault, killer: string | undefined): string {
    const tests = killer === undefined ? this.testsOf(fault).toSorted() : [killer]
    return hashOf(this.options.root, [fault.file, ...tests])
  }

  private text({ file }: Fault): string {
    return readFileSync(join(this.options.root, file), 'utf8')
  }
}
