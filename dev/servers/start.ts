/** How every embedded server is started: as a child that is waited for until it is up. */
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
  /** How sentences call it. */
  name: string
  command: string
  args: readonly string[]
  cwd?: string
  env?: Record<string, string | undefined>
  /** The file that receives what it prints; nothing is kept without one. */
  log: string | undefined
  isUp: (pid: number) => boolean | Promise<boolean>
  withinMs: number
  /** The signal by which it ends in order. */
  signal: NodeJS.Signals
  /** Called as soon as there is a process, so that it is recognised or stopped if this one dies. */
  onSpawn?: (pid: number) => void
}

/** @throws StackError with its last words when the server does not come up; it is stopped then. */
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
