import { privateKeyToAccount } from 'viem/accounts'
import type { Address } from '../../core/chain/evm.ts'
import { parseSignature } from '../../core/x402/signature.ts'
import { TRANSFER_WITH_AUTHORIZATION } from '../../test/support/x402/authorizations.ts'
import { WALLET_CODE } from './codes.ts'
import { addressOf, keyOf, type Stage } from './stage.ts'

/** An EIP-3009 authorization of a payer with exactly this balance, optionally of a contract wallet. */
export async function signedAuthorization(
  stage: Stage,
  payer: string,
  to: Address,
  value: bigint,
  isWallet: boolean,
) {
  const { machine, usdc } = stage
  const from = addressOf(payer)
  if (isWallet) await machine.place(from, WALLET_CODE)
  await stage.mint(usdc, from, value)
  const [validAfter, validBefore] = [0n, machine.time + 600n]
  const authorization = { from, to, value, validAfter, validBefore, nonce: keyOf(`nonce ${payer}`) }
  const signature = await privateKeyToAccount(keyOf(payer)).signTypedData({
    domain: { name: 'USDC', version: '2', chainId: machine.chainId, verifyingContract: usdc },
    types: TRANSFER_WITH_AUTHORIZATION,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  })
  const vrs = parseSignature(signature)
  if (vrs === null) throw new Error('viem returned an invalid signature')
  return { authorization, signature, vrs }
}
