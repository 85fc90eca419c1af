/**
 * A process whose nameserver never answers. It sends webhooks to hosts that only that nameserver knows,
 * and then one to the URL of its first argument; what came of the last is its output, as JSON.
 */
import { setServers } from 'node:dns'
import { networks } from '../../../core/base/network.ts'
import type { DeliveryAnswer } from '../../../core/webhook/schedule.ts'
import { createSender } from '../../../workers/webhook/sender.ts'

export interface SilenceReport {
  /** Whether the nameserver was asked before the last webhook was sent. */
  readonly wasAsked: boolean
  /** What came of the last webhook. */
  readonly answer: DeliveryAnswer
  /** How many of the others had ended when it was answered. */
  readonly ended: number
}

/** More than there are threads for work that blocks. */
const SILENT_HOSTS = 40
/** Never the reason why a lookup ends. */
const LIMIT_MS = 100_000

/** Runs the process to its end. */
export async function sendPastSilence(url: string): Promise<SilenceReport> {
  const child = Bun.spawn([process.execPath, import.meta.path, url], { stderr: 'inherit' })
  return JSON.parse(await new Response(child.stdout).text())
}

async function main(url: string): Promise<void> {
  const asked = Promise.withResolvers<boolean>()
  const nameserver = await Bun.udpSocket({
    hostname: '127.0.0.1',
    socket: { data: () => asked.resolve(true) },
  })
  setServers([`127.0.0.1:${nameserver.port}`])
  const allowed = networks(['127.0.0.0/8', '::1'])
  const sender = createSender({ environment: 'sandbox', allowed, limitMs: LIMIT_MS })
  let ended = 0
  const silent = Array.from({ length: SILENT_HOSTS }, async (_, number) => {
    await sender.send(`http://shop-${number}.example/hook`, {}, '{}')
    ended += 1
  })
  const wasAsked = await Promise.race([asked.promise, Promise.all(silent).then(() => false)])
  const { answer } = await sender.send(url, {}, '{}')
  const report: SilenceReport = { wasAsked, answer, ended }
  await Bun.write(Bun.stdout, JSON.stringify(report))
  process.exit(0)
}

if (import.meta.main) await main(process.argv[2] ?? '')
