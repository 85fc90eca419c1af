/**
 * The blocks of a durable chain since its last complete state, one line each: the transactions
 * and the time. A node that mines the same transactions in the same order at the same time
 * produces the same blocks, so the cost of a line is independent of the length of the
 * chain. The hash of each replayed block is compared with the original.
 */
import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { appendFile, open } from 'node:fs/promises'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Hex } from 'viem'
import { StackError } from '../processes/child.ts'
import { asHex, hexField, type Rpc } from './rpc.ts'
import { writeDurably } from './stateFile.ts'

/** A signed transaction, or one sent by an impersonated account. */
const Sent = Type.Union([
  Type.Object({ raw: Type.String() }),
  Type.Object({ from: Type.String(), fields: Type.Record(Type.String(), Type.Unknown()) }),
])
type Sent = Static<typeof Sent>

const JournalBlock = Type.Object({
  number: Type.String(),
  timestamp: Type.String(),
  hash: Type.String(),
  baseFeePerGas: Type.String(),
  sent: Type.Array(Sent),
})
export type JournalBlock = Static<typeof JournalBlock>

/** The first line: the newest block of the state that the journal continues. */
const Beginning = Type.Object({ after: Type.String() })

/** The fields to replay a transaction with; all others are derived from them. */
const FIELDS = 'to value gas gasPrice maxFeePerGas maxPriorityFeePerGas nonce input accessList type'

const journalOf = (stateFile: string): string => `${stateFile}.journal`

/** Creates the journal of a state that was just stored; `after` is the state's newest block. */
export async function beginJournal(stateFile: string, after: Hex): Promise<void> {
  await writeDurably(journalOf(stateFile), `${JSON.stringify({ after })}\n`)
}

/** Appends a block. A block with transactions is synced to disk when this returns. */
export async function appendBlock(stateFile: string, block: JournalBlock): Promise<void> {
  const file = journalOf(stateFile)
  await appendFile(file, `${JSON.stringify(block)}\n`)
  if (block.sent.length === 0) return
  const handle = await open(file, 'r+')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** The line of a mined block; `block` is the node's result with full transactions. */
export async function describeBlock(rpc: Rpc, block: unknown): Promise<JournalBlock> {
  return {
    number: hexField(block, 'number'),
    timestamp: hexField(block, 'timestamp'),
    hash: hexField(block, 'hash'),
    baseFeePerGas: hexField(block, 'baseFeePerGas'),
    sent: await Promise.all(transactionsOf(block).map((each) => describeTransaction(rpc, each))),
  }
}

export function transactionsOf(block: unknown): readonly object[] {
  const found = typeof block === 'object' && block !== null && 'transactions' in block
  return found && Array.isArray(block.transactions) ? block.transactions : []
}

async function describeTransaction(rpc: Rpc, transaction: object): Promise<Sent> {
  // No signature has r = 0: the node sets it for unsigned transactions.
  if (BigInt(hexField(transaction, 'r')) !== 0n) {
    return { raw: asHex(await rpc('debug_getRawTransaction', [hexField(transaction, 'hash')])) }
  }
  const names = FIELDS.split(' ')
  // A node returns the paid price as gasPrice, also for transactions without that field.
  if ('maxFeePerGas' in transaction) names.splice(names.indexOf('gasPrice'), 1)
  const known = Object.entries(transaction).filter(([name, value]) => {
    return names.includes(name) && value !== null
  })
  return { from: hexField(transaction, 'from'), fields: Object.fromEntries(known) }
}

/**
 * Replays the journal on a node that has loaded the stored state. A journal that
 * continues another state is ignored: the state was stored after its last line.
 * Returns the blocks.
 * @throws StackError if a replayed block differs.
 */
export async function replayJournal(rpc: Rpc, stateFile: string): Promise<JournalBlock[]> {
  const file = journalOf(stateFile)
  if (!existsSync(file)) return []
  const [beginning, ...blocks] = linesOf(file)
  const head = hexField(await rpc('eth_getBlockByNumber', ['latest', false]), 'hash')
  if (!Value.Check(Beginning, beginning) || beginning.after !== head) return []
  const replayed: JournalBlock[] = []
  for (const block of blocks) {
    if (!Value.Check(JournalBlock, block)) throw new StackError(`${file} can't be read.`)
    const hash = await replay(rpc, block)
    if (hash !== block.hash) {
      throw new StackError(
        `Block ${Number(block.number)} of ${file} could not be replayed. Start with --fresh to delete the state.`,
      )
    }
    replayed.push(block)
  }
  return replayed
}

async function replay(rpc: Rpc, block: JournalBlock): Promise<Hex> {
  // A loaded node's clock may be ahead of the block, and accepts no earlier time.
  await rpc('evm_setTime', [Number(block.timestamp) - 1])
  await rpc('evm_setNextBlockTimestamp', [block.timestamp])
  await rpc('anvil_setNextBlockBaseFeePerGas', [block.baseFeePerGas])
  for (const sent of block.sent) {
    if ('raw' in sent) {
      await rpc('eth_sendRawTransaction', [sent.raw])
      continue
    }
    await rpc('anvil_impersonateAccount', [sent.from])
    await rpc('eth_sendTransaction', [{ ...sent.fields, from: sent.from }])
    await rpc('anvil_stopImpersonatingAccount', [sent.from])
  }
  await rpc('evm_mine')
  return hexField(await rpc('eth_getBlockByNumber', ['latest', false]), 'hash')
}

/** A crash may leave a partial line, which is dropped: it was never acknowledged. */
function linesOf(file: string): unknown[] {
  const content = readFileSync(file)
  const end = content.lastIndexOf('\n') + 1
  if (end < content.length) truncateSync(file, end)
  return content
    .toString('utf8', 0, end)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
}
