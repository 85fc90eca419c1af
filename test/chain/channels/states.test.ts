import { expect, test } from 'bun:test'
import { createPublicClient, custom, encodeFunctionResult, type Hex, numberToHex } from 'viem'
import { CHANNELS_ABI, MULTICALL_ABI } from '../../../chain/channels/abi.ts'
import { channelsAt } from '../../../chain/channels/states.ts'
import { UnknownBlockError } from '../../../chain/rpc/faults.ts'
import { newHash } from '../../support/store/database.ts'

/** What a node says of channels at a block, and what it says of another one. */

const VIEW = { number: 7n, hash: newHash() }

/** A node that answers of this block. */
function answering(block: bigint) {
  const abi = CHANNELS_ABI
  const data: Hex[] = [
    numberToHex(block, { size: 32 }),
    encodeFunctionResult({ abi, functionName: 'channels', result: [100n, 30n] }),
    encodeFunctionResult({ abi, functionName: 'pendingWithdrawals', result: [70n, 5] }),
    encodeFunctionResult({ abi, functionName: 'channels', result: [0n, 0n] }),
    encodeFunctionResult({ abi, functionName: 'pendingWithdrawals', result: [0n, 0] }),
  ]
  const result = data.map((returnData) => ({ success: true, returnData }))
  const answer = encodeFunctionResult({ abi: MULTICALL_ABI, functionName: 'aggregate3', result })
  const asked: unknown[] = []
  const request = async ({ params }: { params?: unknown }) => {
    asked.push(params)
    return answer
  }
  return { asked, client: createPublicClient({ transport: custom({ request }) }) }
}

test('channels are read by the hash of a block, in their order', async () => {
  const { client, asked } = answering(7n)
  expect(await channelsAt(client, [newHash(), newHash()], VIEW)).toEqual([
    { balance: 100n, totalClaimed: 30n, withdrawal: { amount: 70n, begunAt: 5 } },
    { balance: 0n, totalClaimed: 0n, withdrawal: null },
  ])
  expect(asked).toMatchObject([[{}, { blockHash: VIEW.hash }]])
})

test('an answer of another block than was asked for is none', async () => {
  const { client } = answering(6n)
  await expect(channelsAt(client, [newHash(), newHash()], VIEW)).rejects.toThrow(UnknownBlockError)
})
