import { encodeFunctionData, erc20Abi } from 'viem'
import { HUB_ABI } from '../../chain/hub/abi.ts'
import { encodeDeployForwarder } from '../../chain/x402/settlement.ts'
import { baseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { batchGas, type ChainGas } from '../../core/chain/gas.ts'
import { uuidToBytes16 } from '../../core/chain/words.ts'
import { forwarderAddress } from '../../core/hub/deposit.ts'
import { signRefund } from '../../test/support/hub/signatures.ts'
import type { Operation, Prepared } from './operation.ts'
import { addressOf, keyOf, merchantOf, OWNER, OWNER_DELAY_S, type Stage } from './stage.ts'

/**
 * Recovery of misplaced money: from forwarders by a signature, and by the owner, whose wallet
 * estimates what a call needs.
 */

const AMOUNT = 10_000_000n
const RECEIVER = 'receiver'

const estimated = ({ largest }: ChainGas) => ({ base: largest, perItem: 0n })

export const RECOVERY_OPERATIONS: readonly Operation[] = [
  {
    name: 'rescue that deploys the forwarder',
    kind: ({ refund }) => batchGas(refund),
    prepare: rescue,
  },
  {
    name: 'recovery of a token out of the hub',
    kind: estimated,
    isSingle: true,
    prepare: recover,
  },
  {
    name: "recovery by a call in a clone's name",
    kind: estimated,
    isSingle: true,
    prepare: recoverCall,
  },
]

async function rescue(stage: Stage, count: number, gas: ChainGas): Promise<Prepared> {
  const { hub, machine, usdc: token } = stage
  const names = Array.from({ length: count }, (_, i) => `${i}`)
  const items = names.map(async (name, i) => {
    const merchant = merchantOf(name)
    const order = {
      refundId: BigInt(i),
      source: forwarderAddress(hub, merchant),
      token,
      to: addressOf(`${RECEIVER} ${name}`),
      amount: baseUnits(AMOUNT),
      feeLeft: baseUnits(0n),
      deadline: machine.time + 1800n,
    }
    const signature = await signRefund(keyOf('refund signer'), hub, machine.chainId, order)
    return { merchantId: uuidToBytes16(merchant), refund: order, signature }
  })
  const signed = await Promise.all(items)
  for (const { refund } of signed) await stage.mint(token, refund.source, AMOUNT)
  const args = [signed, gas.refund] as const
  return {
    call: { to: hub, data: encodeFunctionData({ abi: HUB_ABI, functionName: 'rescue', args }) },
    paid: signed.map(({ refund }) => ({ token, to: refund.to, amount: AMOUNT })),
  }
}

async function recover(stage: Stage): Promise<Prepared> {
  const { hub, usdc: token } = stage
  await stage.mint(token, hub, AMOUNT)
  const to = addressOf(RECEIVER)
  const args = [hub, token, to, AMOUNT] as const
  const data = encodeFunctionData({ abi: HUB_ABI, functionName: 'recover', args })
  return proposed(stage, data, token)
}

/** Rescue of an unlisted token from a forwarder. */
async function recoverCall(stage: Stage): Promise<Prepared> {
  const { hub, machine, costly: token } = stage
  const merchant = merchantOf('0')
  const forwarder = forwarderAddress(hub, merchant)
  await machine.prepare(keyOf(OWNER), hub, encodeDeployForwarder(merchant))
  await stage.mint(token, forwarder, AMOUNT)
  const unlisted = [token, false, 6, 0n] as const
  const unlist = encodeFunctionData({ abi: HUB_ABI, functionName: 'setToken', args: unlisted })
  await machine.prepare(keyOf(OWNER), hub, unlist)
  const transfer = [addressOf(RECEIVER), AMOUNT] as const
  const move = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: transfer })
  const args = [forwarder, token, move] as const
  const data = encodeFunctionData({ abi: HUB_ABI, functionName: 'recoverCall', args })
  return proposed(stage, data, token)
}

/** The owner's call after its delay. */
async function proposed(stage: Stage, data: Hex, token: Address): Promise<Prepared> {
  const { hub, machine } = stage
  const propose = encodeFunctionData({ abi: HUB_ABI, functionName: 'propose', args: [data] })
  await machine.prepare(keyOf(OWNER), hub, propose)
  machine.wait(OWNER_DELAY_S)
  return {
    call: { to: hub, data },
    sender: OWNER,
    paid: [{ token, to: addressOf(RECEIVER), amount: AMOUNT }],
  }
}
