/** What failed in a run, and the command that runs only that. */

/** Lines that a failed test may take in the summary; the whole of it is further up. */
const LONGEST_FAILURE = 40
const HEADER = /^((?:[\w@.-]+\/)*[\w.-]+\.(?:test|long)\.tsx?):$/
const RESULT = /^\((pass|fail|skip|todo)\) /
const CRASH = /^✗ (\S+) \((.*)\)$/
const UNHANDLED = '# Unhandled error between tests'
const RULE = /^-{10,}$/

export interface Failure {
  /** The file of tests, from the root; null where the output names none. */
  readonly file: string | null
  /** What was printed for it, the last 40 lines, which end with its name. */
  readonly text: string
}

/** What `bun test` printed for each test that failed, for each file that ended and each error outside of tests. */
export function failuresIn(output: string): Failure[] {
  const failures: Failure[] = []
  let file: string | null = null
  let lines: string[] = []
  let rules = 0
  const fail = (failed = file) => {
    failures.push({ file: failed, text: lines.slice(-LONGEST_FAILURE).join('\n').trim() })
  }
  for (const line of output.split('\n')) {
    // What follows is said for the second time.
    if (/^\d+ tests? failed:$/.test(line)) break
    const header = HEADER.exec(line)?.[1]
    if (header !== undefined) [file, lines] = [header, []]
    else lines.push(line)
    if (line === UNHANDLED) [lines, rules] = [[line], 2]
    else if (rules > 0 && RULE.test(line) && --rules === 0) {
      fail()
      lines = []
    }
    const crashed = CRASH.exec(line)?.[1]
    if (crashed !== undefined) fail(crashed)
    if (RESULT.test(line)) {
      if (line.startsWith('(fail) ')) fail()
      lines = []
    }
  }
  return failures
}

/** The file that was under way when the output ended; null where it names none. */
export function lastFileOf(output: string): string | null {
  return (
    output
      .split('\n')
      .findLast((line) => HEADER.test(line))
      ?.slice(0, -1) ?? null
  )
}

/** A command for a shell that runs these files only; null without any. */
export function commandFor(
  failures: readonly Failure[],
  variables: Readonly<Record<string, string>> = {},
): string | null {
  const files = [...new Set(failures.flatMap(({ file }) => (file === null ? [] : [`./${file}`])))]
  if (files.length === 0) return null
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value} `)
  return `${set.join('')}npx -y bun@${Bun.version} test --timeout 120000 ${files.sort().join(' ')}`
}
