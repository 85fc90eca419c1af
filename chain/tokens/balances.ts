import { BaseError, type PublicClient, size, slice } from 'viem'
import { type BaseUnits, baseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { View } from '../rpc/view.ts'

/**
 * Creation code that never creates anything: eth_call runs it, and what it "deploys" is the answer.
 * Behind the code come the token and then the holders, 20 bytes each; the answer is one word per
 * holder. It needs no contract on the chain, and a holder takes a tenth of what an ABI-encoded
 * multicall would, which keeps hundreds of them below the limit of EIP-3860.
 */
const BALANCES_CODE: Hex = `0x${[
  '60146051600c39', // copy the token behind 12 zero bytes: memory[0] is its address
  '600051', // stack: token
  '6370a0823160e01b600052', // memory[0..4] = selector of balanceOf(address), the rest zero
  '6065', // stack: token, position of the first holder
  '6040', // stack: token, position, end of the answer
  '5b', // 0x19, next:
  '81381115604957', // if position >= codesize, go to done
  '601482601039', // memory[16..36] = holder, the argument's low 20 bytes
  '6020816024600086', // stack: ..., 32, end, 36, 0, token
  '5afa', // staticcall with all gas
  '601f3d1116603d57', // when it succeeded and returned a word, go to fine
  '600080fd', // else revert: a balance that can't be read is not zero
  '5b', // 0x3d, fine:
  '602001', // end += 32
  '9060140190', // position += 20
  '601956', // go to next
  '5b', // 0x49, done:
  '60409003', // length = end - 64
  '6040f3', // return memory[64..end]
].join('')}`

/** 500 words are below the 24,576 bytes that EIP-170 lets a deployment return. */
const HOLDERS_PER_CALL = 500

/**
 * The token balances of the holders at the end of the view's block, in their order, in base units. Throws
 * when the node doesn't answer, and when the token doesn't, for example because it has no code.
 */
export async function readBalances(
  client: PublicClient,
  token: Address,
  holders: readonly Address[],
  view: View,
): Promise<BaseUnits[]> {
  const balances: BaseUnits[] = []
  for (let start = 0; start < holders.length; start += HOLDERS_PER_CALL) {
    const some = holders.slice(start, start + HOLDERS_PER_CALL)
    const tail = [token, ...some].map((address) => address.slice(2)).join('')
    const { data } = await client.call({
      data: `${BALANCES_CODE}${tail}`,
      blockHash: view.hash,
    })
    if (data === undefined || size(data) !== some.length * 32) {
      throw new BaseError(`token ${token} did not answer the balances of ${some.length} holders`)
    }
    for (let i = 0; i < some.length; i++) {
      balances.push(baseUnits(BigInt(slice(data, i * 32, (i + 1) * 32))))
    }
  }
  return balances
}
