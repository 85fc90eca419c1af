import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../../core/x402/permitContracts.ts'
import type { HubChain } from '../../../test/support/servers/chain.ts'
import { randomHex } from '../../../test/support/x402/authorizations.ts'
import { permitTypes } from '../../../test/support/x402/permits.ts'
import type { Posting } from '../posting.ts'
import type { PaymentRequirements } from '../side.ts'
import { MAXIMUM } from './requirements.ts'

/** Payments by Permit2 as stock clients post them. */

const GAS = 60_000n
const GAS_PRICE = 20_000_000_000n
/** Approvals that fit into a block of 200 million gas. */
const APPROVALS_PER_BLOCK = 1_000

/** Lets Permit2 take all that these payers have. They have sent nothing before. */
export async function approvePermit2(
  { node, client, usdc }: HubChain,
  payers: readonly PrivateKeyAccount[],
): Promise<void> {
  const args = [PERMIT2, maxUint256] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  const wei = `0x${(GAS * GAS_PRICE).toString(16)}`
  for (let first = 0; first < payers.length; first += APPROVALS_PER_BLOCK) {
    const some = payers.slice(first, first + APPROVALS_PER_BLOCK)
    const hashes = await Promise.all(
      some.map(async (payer) => {
        await node.rpc('anvil_setBalance', [payer.address, wei])
        const serializedTransaction = await payer.signTransaction({
          ...{ type: 'eip1559', chainId: node.chainId, nonce: 0, to: usdc.address, data },
          ...{ gas: GAS, maxFeePerGas: GAS_PRICE, maxPriorityFeePerGas: 1_000_000_000n },
        })
        return client.sendRawTransaction({ serializedTransaction })
      }),
    )
    for (const hash of hashes) {
      const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
      if (status !== 'success') throw new Error('a payer could not approve Permit2')
    }
  }
}

/**
 * Signs a payment. Permit2 leaves no trace of a nonce, so that the chain's transfer is recognised by its amount:
 * no two payments of a payer may have the same.
 */
export async function permitPosting(
  { node }: HubChain,
  payer: PrivateKeyAccount,
  requirements: PaymentRequirements,
  amount: bigint,
  deadline: bigint,
): Promise<Posting> {
  const scheme = requirements.scheme === 'upto' ? 'upto' : 'exact'
  const maximum = scheme === 'upto' ? MAXIMUM : amount
  const [from, to] = [lowerCaseAddress(payer.address), lowerCaseAddress(requirements.payTo)]
  const nonce = randomHex(32)
  const witness = {
    to,
    ...(scheme === 'upto' && { facilitator: facilitatorOf(requirements) }),
    validAfter: '0',
  }
  const permitted = { token: requirements.asset, amount: maximum.toString() }
  const spender = PERMIT_PROXIES[scheme]
  const terms = { spender, nonce: BigInt(nonce).toString(), deadline: deadline.toString() }
  const signature = await payer.signTypedData({
    domain: { name: 'Permit2', chainId: node.chainId, verifyingContract: PERMIT2 },
    types: permitTypes(scheme),
    primaryType: 'PermitWitnessTransferFrom',
    message: { permitted, ...terms, witness },
  })
  const payload = { signature, permit2Authorization: { from, permitted, ...terms, witness } }
  const body = JSON.stringify({
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: { url: 'https://shop.example/weather', description: 'Weather', mimeType: '' },
      accepted: { ...requirements, amount: maximum.toString() },
      payload,
    },
    paymentRequirements: { ...requirements, amount: amount.toString() },
  })
  const times = { validAfter: 0n, validBefore: deadline }
  const authorization = { from, to, value: amount, ...times, nonce }
  return { authorization, key: keyByAmount(from, amount), body }
}

/** What identifies a transfer where no two of a payer are of the same amount. */
export function keyByAmount(from: Address, amount: bigint): string {
  return `${from} ${amount}`
}

function facilitatorOf({ extra }: PaymentRequirements): Address {
  return lowerCaseAddress(String(extra.facilitatorAddress))
}
