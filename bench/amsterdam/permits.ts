import { encodeAbiParameters, encodeFunctionData, parseAbiParameters, parseSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { HUB_ABI } from '../../chain/hub/abi.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { batchGas, type ChainGas } from '../../core/chain/gas.ts'
import { forwarderAddress } from '../../core/hub/deposit.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../core/x402/permitContracts.ts'
import { readArtifact } from '../../dev/stack/artifacts.ts'
import type { Operation, Prepared } from './operation.ts'
import { addressOf, keyOf, merchantOf, type Stage } from './stage.ts'

/**
 * Payments by Permit2 through the proxies of x402, deployed at their canonical addresses with the code that
 * local chains have for them. Each payer approves Permit2 in the same transaction.
 */

const PROXIES = {
  exact: {
    address: PERMIT_PROXIES.exact,
    contract: 'TestExactProxy',
    functionName: 'settleExact',
    witness: [
      { name: 'to', type: 'address' },
      { name: 'validAfter', type: 'uint256' },
    ],
  },
  upto: {
    address: PERMIT_PROXIES.upto,
    contract: 'TestUptoProxy',
    functionName: 'settleUpto',
    witness: [
      { name: 'to', type: 'address' },
      { name: 'facilitator', type: 'address' },
      { name: 'validAfter', type: 'uint256' },
    ],
  },
} as const
type Scheme = keyof typeof PROXIES

const PERMITTED = 10_000_000n
const NONCE = 7n

export const PERMIT_OPERATIONS: readonly Operation[] = (['upto', 'exact'] as const).map(
  (scheme) => ({
    name: `${scheme} payments by Permit2 to as many new forwarders`,
    kind: ({ permit }) => batchGas(permit),
    prepare: (stage, count, gas) => settle(stage, count, gas, scheme),
  }),
)

async function settle(
  stage: Stage,
  count: number,
  gas: ChainGas,
  scheme: Scheme,
): Promise<Prepared> {
  const { address, contract, functionName } = PROXIES[scheme]
  for (const [place, name] of [
    [PERMIT2, 'TestPermit2'],
    [address, contract],
  ] as const) {
    await stage.machine.place(place, (await readArtifact(name)).deployedBytecode)
  }
  const names = Array.from({ length: count }, (_, i) => `${i}`)
  const items = await Promise.all(names.map((name) => payment(stage, name, scheme)))
  for (const { from } of items) await stage.mint(stage.usdc, from, PERMITTED)
  const args = [items, gas.permit] as const
  return {
    call: { to: stage.hub, data: encodeFunctionData({ abi: HUB_ABI, functionName, args }) },
    paid: items.map(({ token, to, amount }) => ({ token, to, amount })),
  }
}

/** The hub's argument for a payment; of an `upto` one the payer has permitted more. */
async function payment(stage: Stage, name: string, scheme: Scheme) {
  const { usdc: token, hub, machine } = stage
  const payer = `payer ${name}`
  const to = forwarderAddress(hub, merchantOf(name))
  const [validAfter, deadline] = [0n, machine.time + 600n]
  const { address: spender, witness } = PROXIES[scheme]
  const signature = await privateKeyToAccount(keyOf(payer)).signTypedData({
    domain: { name: 'Permit2', chainId: machine.chainId, verifyingContract: PERMIT2 },
    types: {
      PermitWitnessTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
        { name: 'witness', type: 'Witness' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
      Witness: witness,
    },
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      ...{ permitted: { token, amount: PERMITTED }, spender, nonce: NONCE, deadline },
      witness: { to, facilitator: hub, validAfter },
    },
  })
  const amount = scheme === 'upto' ? PERMITTED / 2n : PERMITTED
  const terms = { permitted: PERMITTED, amount, nonce: NONCE, deadline, validAfter }
  const permit2612 = await allowance(stage, payer, token, deadline)
  return { token, from: addressOf(payer), to, ...terms, signature, permit2612 }
}

/** The payer's EIP-2612 permit for Permit2. */
async function allowance(
  { machine }: Stage,
  payer: string,
  token: Address,
  deadline: bigint,
): Promise<Hex> {
  const signature = await privateKeyToAccount(keyOf(payer)).signTypedData({
    domain: { name: 'USDC', version: '2', chainId: machine.chainId, verifyingContract: token },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: addressOf(payer), spender: PERMIT2, value: PERMITTED, nonce: 0n, deadline },
  })
  const { r, s, yParity } = parseSignature(signature)
  const fields = parseAbiParameters('uint256, uint256, bytes32, bytes32, uint8')
  return encodeAbiParameters(fields, [PERMITTED, deadline, r, s, 27 + yParity])
}
