import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What came of a planted fault. */
export interface Result {
  /** See `keyOf` of a fault. */
  readonly key: string
  readonly file: string
  readonly line: number
  readonly name: string
  readonly before: string
  readonly after: string
  /** `invalid`: with the fault the file is no TypeScript, so nothing was run. */
  readonly outcome: 'killed' | 'survived' | 'invalid'
  /** What killed it. `test` is null when the file of tests failed outside of a test. */
  readonly by?: { readonly file: string; readonly test: string | null }
  /** How many test files ran, of how many that reach the file. */
  readonly ran: number
  readonly reaching: number
  readonly seconds: number
  /** Of the file, and of the test that killed or all that reach it: a result holds while they stay. */
  readonly hash: string
}

/** The results of all runs, one line of JSON each; the last one of a key holds. */
export class Results {
  private readonly byKey = new Map<string, Result>()

  constructor(private readonly path: string) {
    mkdirSync(dirname(path), { recursive: true })
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    for (const line of lines.filter(Boolean)) {
      const result: Result = JSON.parse(line)
      this.byKey.set(result.key, result)
    }
  }

  get(key: string): Result | undefined {
    return this.byKey.get(key)
  }

  add(result: Result): void {
    this.byKey.set(result.key, result)
    appendFileSync(this.path, `${JSON.stringify(result)}\n`)
  }

  /** How many faults in a file each test has killed. */
  killsIn(file: string): ReadonlyMap<string, number> {
    const kills = new Map<string, number>()
    for (const { file: at, by } of this.byKey.values()) {
      if (at === file && by) kills.set(by.file, (kills.get(by.file) ?? 0) + 1)
    }
    return kills
  }
}

const transpiler = new Bun.Transpiler({ loader: 'ts' })
const codes = new Map<string, string>()

/** One hash of what several files do: comments and types don't count. */
export function hashOf(root: string, files: readonly string[]): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const file of files) hash.update(`${file}\n${codeOf(join(root, file))}\n`)
  return hash.digest('hex').slice(0, 16)
}

function codeOf(path: string): string {
  let code = codes.get(path)
  if (code === undefined) {
    // A test that is gone decides nothing any more.
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    code = path.endsWith('.ts') ? transpiler.transformSync(text) : text
    codes.set(path, code)
  }
  return code
}
