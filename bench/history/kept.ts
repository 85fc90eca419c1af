import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from '../../core/chain/evm.ts'
import { runToEnd } from '../../dev/processes/command.ts'
import type { NewMerchant } from '../../store/access/merchants.ts'
import type { HubRoles } from '../../test/support/servers/chain.ts'
import type { HistorySize } from './size.ts'

/**
 * A seeded database that is kept for later runs: the server's data directory, and the keys behind the
 * chain that it belongs to. A run works on a copy.
 */

/** Who a history belongs to: with the same keys, a new chain has the same hub. */
export interface Identity {
  readonly roles: HubRoles
  readonly relayerKey: Hex
}

export interface KeptHistory extends Identity {
  readonly size: HistorySize
  readonly merchant: NewMerchant
  readonly seededAt: string
}

/** The oldest events are a day from their end when they are seeded. */
const USABLE_MS = 20 * 60 * 60_000

/** What a folder keeps; null when there is nothing yet. Throws when it is no longer of use. */
export function readKept(folder: string, size: HistorySize): KeptHistory | null {
  const file = join(folder, 'history.json')
  if (!existsSync(file)) return null
  const kept: KeptHistory = JSON.parse(readFileSync(file, 'utf8'))
  const isYoung = Date.now() - Date.parse(kept.seededAt) < USABLE_MS
  if (!isYoung || JSON.stringify(kept.size) !== JSON.stringify(size)) {
    throw new Error(
      `${folder} has ${kept.size.invoices} invoices of ${kept.seededAt}; delete it, or name another folder`,
    )
  }
  return kept
}

/** Copies the data directory of a server that was stopped, and says last what it is. */
export async function keep(folder: string, dataDir: string, kept: KeptHistory): Promise<void> {
  mkdirSync(folder, { recursive: true })
  rmSync(join(folder, 'data'), { recursive: true, force: true })
  await copy(dataDir, join(folder, 'data'))
  const file = join(folder, 'history.json')
  writeFileSync(`${file}.draft`, JSON.stringify(kept, null, 2))
  renameSync(`${file}.draft`, file)
}

/** A copy of what is kept, to work on. */
export async function copyKept(folder: string, dataDir: string): Promise<void> {
  await copy(join(folder, 'data'), dataDir)
}

/** With owners and times: the server refuses a folder of another owner. */
async function copy(from: string, to: string): Promise<void> {
  const failure = await runToEnd(['cp', '-a', from, to])
  if (failure !== undefined) throw new Error(`${from} could not be copied: ${failure}`)
}
