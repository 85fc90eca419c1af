/** Starts an embedded server as a child process and waits until it is up. */
import {
  describeExit,
  lastLines,
  type Spawned,
  StackError,
  spawnDetached,
  stopProcess,
  waitUntil,
} from '../processes/child.ts'

export type ServerPlan = {
  /** Its name in messages. */
  name: string
  command: string
  args: readonly string[]
  cwd?: string
  env?: Record<string, string | undefined>
  /** The file for its output; discarded without one. */
  log: string | undefined
  isUp: (pid: number) => boolean | Promise<boolean>
  withinMs: number
  /** The signal for a graceful end. */
  signal: NodeJS.Signals
  /** Called as soon as there is a process, so that it can be recognised or stopped if this process dies. */
  onSpawn?: (pid: number) => void
}

/** @throws StackError with the end of its log if the server does not start; then it is stopped. */
export async function startServer(plan: ServerPlan): Promise<Spawned> {
  const { name, log, withinMs } = plan
  const { running } = spawnDetached({
    ...plan,
    output: log === undefined ? 'ignore' : { file: log },
  })
  const { pid } = running
  plan.onSpawn?.(pid)
  const isOver = async () => running.ended() !== undefined || (await plan.isUp(pid))
  const isUp = await waitUntil(isOver, withinMs)
  const exit = running.ended()
  if (isUp && exit === undefined) return running
  const words = log === undefined ? '' : `; its log ${log} ends with:\n${lastLines(log)}`
  await stopProcess(pid, plan.signal)
  const how =
    exit === undefined
      ? `was not ready after ${withinMs / 1000} s`
      : `ended (${describeExit(exit)})`
  throw new StackError(`${name} ${how}${words}`)
}
