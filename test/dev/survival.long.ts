import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { signalProcess, waitUntil } from '../../dev/processes/child.ts'
import { identify } from '../../dev/processes/inspect.ts'
import { startAnvil } from '../../dev/servers/anvil.ts'
import { startPostgres } from '../../dev/servers/postgres.ts'
import { hexField } from '../../dev/servers/rpc.ts'

const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'remit-survival-'))
  chmodSync(dir, 0o711)
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

type Report = { hash: string; genesis: string; node: number; server: number }

/** Runs the miniature launcher until it has left its mark, then kills it and what it started. */
async function launchAndKill(mark: number, withChildren: boolean): Promise<Report> {
  const child = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, '../support/dev/launcher.ts'),
      dir,
      ACCOUNT,
      mark.toString(16),
    ],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
  )
  let report: Report
  try {
    report = JSON.parse(await firstLine(child.stdout))
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
  if (withChildren) for (const pid of [report.node, report.server]) signalProcess(pid, 'SIGKILL')
  return report
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('\n')) break
  }
  return text
}

describe('what the development stack has stored', () => {
  test('is there again after kill -9 of the launcher, with or without its children', async () => {
    const reports: Report[] = []
    for (let mark = 1; mark <= 4; mark++) reports.push(await launchAndKill(mark, mark % 2 === 0))

    const chain = await startAnvil({
      chainId: 84_532,
      port: 0,
      mining: 200,
      stateFile: join(dir, 'chain.json'),
      accounts: 1,
    })
    const server = await startPostgres({ dataDir: join(dir, 'data'), port: 0 })
    const sql = postgres(server.url)
    try {
      expect(new Set(reports.map((report) => report.genesis))).toEqual(new Set([chain.genesis]))
      for (const [index, { hash }] of reports.entries()) {
        const receipt = await chain.rpc('eth_getTransactionReceipt', [hash])
        expect(hexField(receipt, 'status')).toBe('0x1')
        const to = `0xfeed${(index + 1).toString(16).padStart(36, '0')}`
        expect(await chain.rpc('eth_getBalance', [to, 'latest'])).toBe('0x1')
      }
      const marks = await sql`select hash from mark`
      expect(marks.map((row) => row.hash)).toEqual(reports.map((report) => report.hash))

      const head = Number(await chain.rpc('eth_blockNumber'))
      let before = 0n
      for (let number = 0; number <= head; number++) {
        const block = await chain.rpc('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
        const time = BigInt(hexField(block, 'timestamp'))
        expect(time).toBeGreaterThanOrEqual(before)
        before = time
      }
    } finally {
      await sql.end()
      await chain.stop()
      await server.stop()
    }
    const pids = reports.flatMap(({ node, server: postmaster }) => [node, postmaster])
    expect(await waitUntil(() => pids.every((pid) => identify(pid) === undefined), 5_000)).toBe(
      true,
    )
  }, 120_000)
})
