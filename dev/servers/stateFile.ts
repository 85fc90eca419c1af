/** The file with the complete state of a durable chain: all accounts, blocks and transactions. */
import { readFileSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { asHex, hexField, type Rpc } from './rpc.ts'

const unpack = promisify(gunzip)

/**
 * Stores the chain's state atomically: after a crash, either the old or the new file exists.
 * Returns its size in bytes.
 */
export async function saveState(rpc: Rpc, stateFile: string): Promise<number> {
  const packed = Buffer.from(asHex(await rpc('anvil_dumpState')).slice(2), 'hex')
  const state = await unpack(packed)
  await writeDurably(stateFile, state)
  return state.byteLength
}

/** Replaces a file so that a crash leaves either the old or the new content. */
export async function writeDurably(file: string, content: Uint8Array | string): Promise<void> {
  const path = resolve(file)
  await mkdir(dirname(path), { recursive: true })
  const draft = await open(`${path}.new`, 'w')
  try {
    await draft.writeFile(content)
    await draft.sync()
  } finally {
    await draft.close()
  }
  await rename(`${path}.new`, path)
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Prepares a stored state for loading. A node that loads a state first creates its own block 0
 * and keeps it, so the next dump contains two of them in random order, and a later load would choose
 * one at random. The chain's real one is the oldest.
 */
export async function repairState(stateFile: string): Promise<void> {
  const state: unknown = JSON.parse(readFileSync(stateFile, 'utf8'))
  if (typeof state !== 'object' || state === null || !('blocks' in state)) return
  const blocks: unknown[] = Array.isArray(state.blocks) ? state.blocks : []
  const born = (block: unknown) => BigInt(headerField(block, 'timestamp'))
  const isFirst = (block: unknown) => BigInt(headerField(block, 'number')) === 0n
  const first = blocks.filter(isFirst).sort((a, b) => Number(born(a) - born(b)))
  if (first.length < 2) return
  const kept = blocks.filter((block) => !isFirst(block) || block === first[0])
  await writeDurably(stateFile, JSON.stringify({ ...state, blocks: kept }))
}

function headerField(block: unknown, field: string): string {
  const header = typeof block === 'object' && block !== null && 'header' in block && block.header
  return hexField(header, field)
}
