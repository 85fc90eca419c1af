/** Runs commands to their end, such as a package manager's. */

export interface CommandOptions {
  readonly cwd?: string
  /** Interrupts the command, as Ctrl-C does. */
  readonly signal?: AbortSignal
}

/** Runs a command to its end; undefined if it succeeded, otherwise the end of its output. */
export async function runToEnd(
  command: string[],
  options: CommandOptions = {},
): Promise<string | undefined> {
  if (options.signal?.aborted) return 'interrupted'
  const child = Bun.spawn(command, {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    killSignal: 'SIGINT',
    ...options,
  })
  const words = await new Response(child.stderr).text()
  return (await child.exited) === 0 ? undefined : words.trim().split('\n').slice(-2).join(' ')
}
