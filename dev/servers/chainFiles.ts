/**
 * Files of a durable chain: a complete state, and a journal of the blocks since. A block costs a line. The
 * complete state is stored again when the journal has grown to half of its size, so that over its life a chain
 * writes a small multiple of its history, and replaying after a crash takes a fraction of the time of the
 * history.
 *
 * A development node lets every client change its state without a transaction, go back, or replace
 * blocks. A journal can't record that: then the complete state is stored after the next block.
 */
import { statSync } from 'node:fs'
import { type Hex, keccak256 } from 'viem'
import {
  appendBlock,
  beginJournal,
  describeBlock,
  type JournalBlock,
  replayJournal,
  transactionsOf,
} from './journal.ts'
import { asHex, hexField, type Rpc } from './rpc.ts'
import { saveState } from './stateFile.ts'

/** The complete state is stored again when the journal reaches this share of it. */
const JOURNAL_SHARE = 0.5
/** A journal below this size, in bytes of a stored state, is replayed in a second or two. */
const SHORT_JOURNAL = 4_000_000
/** Approximate size of a block and a transaction in a stored state, in bytes. */
const BLOCK_BYTES = 2_000
const TRANSACTION_BYTES = 3_000
const SOME_ACCOUNT = `0x${'00'.repeat(20)}`

export type ChainFiles = {
  /** Whether the state is unchanged since the newest stored block. */
  isUntouched(): Promise<boolean>
  /**
   * Stores the block that was just mined, with its full transactions. `wasUntouched` is the earlier result of
   * `isUntouched`; an empty block shows it.
   */
  store(block: unknown, wasUntouched: boolean): Promise<void>
  /** Stores the complete state if there is a journal, so that the next start has nothing to replay. */
  finish(): Promise<void>
}

/**
 * Continues the files of a node that was just started with `stateFile`: the journal
 * is replayed. For a new chain, without a stored state, the files are created.
 * @throws StackError if the journal can't be replayed.
 */
export async function openChainFiles(
  rpc: Rpc,
  stateFile: string,
  isNew: boolean,
): Promise<ChainFiles> {
  let newest: unknown
  let stateBytes = 0
  let journalBytes = 0

  const storeWhole = async () => {
    let head: Hex
    do {
      newest = await newestBlock(rpc)
      head = hexField(newest, 'hash')
      stateBytes = await saveState(rpc, stateFile)
      // A concurrently requested block would make it the state of another block.
    } while (hexField(await newestBlock(rpc), 'hash') !== head)
    await beginJournal(stateFile, head)
    journalBytes = 0
  }

  if (isNew) {
    await storeWhole()
  } else {
    const replayed = await replayJournal(rpc, stateFile)
    newest = await newestBlock(rpc)
    stateBytes = statSync(stateFile).size
    journalBytes = replayed.reduce((sum, block) => sum + bytesOf(block), 0)
    if (replayed.length === 0) await beginJournal(stateFile, hexField(newest, 'hash'))
  }

  return {
    isUntouched: async () => (await stateRootOf(rpc)) === hexField(newest, 'stateRoot'),
    async store(block, wasUntouched) {
      const isEmpty = transactionsOf(block).length === 0
      const follows = hexField(block, 'parentHash') === hexField(newest, 'hash')
      const hasSameState = hexField(block, 'stateRoot') === hexField(newest, 'stateRoot')
      const limit = Math.max(SHORT_JOURNAL, JOURNAL_SHARE * stateBytes)
      if (!follows || !(isEmpty ? hasSameState : wasUntouched) || journalBytes > limit) {
        await storeWhole()
        return
      }
      const line = await describeBlock(rpc, block)
      await appendBlock(stateFile, line)
      newest = block
      journalBytes += bytesOf(line)
    },
    async finish() {
      if (journalBytes > 0) await storeWhole()
    },
  }
}

const newestBlock = (rpc: Rpc) => rpc('eth_getBlockByNumber', ['latest', true])

const bytesOf = ({ sent }: JournalBlock) => BLOCK_BYTES + sent.length * TRANSACTION_BYTES

/** Every proof begins with the root's node. */
async function stateRootOf(rpc: Rpc): Promise<Hex | undefined> {
  const proof = await rpc('eth_getProof', [SOME_ACCOUNT, [], 'latest'])
  const nodes = typeof proof === 'object' && proof !== null && 'accountProof' in proof
  const [root]: unknown[] = nodes && Array.isArray(proof.accountProof) ? proof.accountProof : []
  return root === undefined ? undefined : keccak256(asHex(root))
}
