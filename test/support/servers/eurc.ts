import { keccak256, toHex } from 'viem'
import type { Address } from '../../../core/chain/evm.ts'
import { ALL_CHAINS, chainNamed, tokenNamed } from '../../../core/chain/registry.ts'
import { readArtifact } from '../../../dev/stack/artifacts.ts'
import { noteIndexed } from '../../../store/chain/indexedTokens.ts'
import type { Database } from '../../../store/database/database.ts'
import { saveHubState } from '../../../store/hub/hubStates.ts'
import type { HubChain } from './chain.ts'

/** The EURC of Base Sepolia on a local chain, which is placed there like USDC, and what a hub's rows say of it. */

export const EURC: Address = tokenNamed(chainNamed('base-sepolia', ALL_CHAINS), 'EURC').address

/** A worker has seen that the hub lists EURC, or that it doesn't. */
export async function seeListed(
  database: Database,
  hub: Address,
  isListed: boolean,
): Promise<void> {
  const state = {
    ...{ block: 1n, stops: 0, owner: hub, pendingOwner: hub, guardian: hub, configSigner: hub },
    ...{ refundSigner: hub, feeCollector: hub, ownerDelay: 0n, configDelay: 0n },
  }
  const token = { token: EURC, isListed, refundLimit: null, refundRoom: null }
  await database.begin((sql) => saveHubState(sql, 'base-sepolia', hub, state, [token]))
}

/** The index follows EURC. */
export async function seeIndexed(database: Database): Promise<void> {
  await noteIndexed(database, [{ networkId: 'base-sepolia', token: EURC }])
}

/** The contract at EURC's address computes its separator by another type than EIP-712's, or by the right one. */
export async function separateWrongly({ node }: HubChain, isWrong: boolean): Promise<void> {
  const { deployedBytecode } = await readArtifact('TestUSDC')
  const type = keccak256(
    toHex('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
  ).slice(2)
  if (!deployedBytecode.includes(type)) throw new Error('the code has no type of the domain')
  const code = isWrong ? deployedBytecode.replaceAll(type, 'ab'.repeat(32)) : deployedBytecode
  await node.rpc('anvil_setCode', [EURC, code])
}
