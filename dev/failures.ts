/** Lines that a failed test may take in the summary; the whole of it stands further up. */
const LONGEST_FAILURE = 40

/**
 * What `bun test` printed for each test that failed, to be repeated where a long run ends: the lines
 * between the test before it and its own line, the last 40 of them.
 */
export function failuresIn(output: string): string {
  const failures: string[] = []
  let lines: string[] = []
  for (const line of output.split('\n')) {
    lines.push(line)
    if (!/^\((pass|fail|skip|todo)\) /.test(line)) continue
    if (line.startsWith('(fail) ')) failures.push(lines.slice(-LONGEST_FAILURE).join('\n').trim())
    lines = []
  }
  return failures.join('\n\n')
}
