import { expect } from 'bun:test'
import { keccak256, slice } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { asMerchantId, type MerchantId } from '../../../core/base/ids.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import type { Database } from '../../../store/database/database.ts'
import { prepareForwarder, registerForwarder } from '../../../store/hub/forwarders.ts'
import { storeClaims } from '../../../store/x402/claims.ts'
import { registerOwnAddress } from '../../../store/x402/ownAddresses.ts'
import type { HubChain } from '../servers/chain.ts'
import { authorizeEach, type SignedAuthorization } from '../x402/authorizations.ts'
import { expectTruth } from '../x402/truth.ts'
import { AGREEING_WALLET, placeCode } from '../x402/walletCode.ts'

/** Claimed x402 payments that wait for a relayer, and what must have become of them. */

/** A merchant whose forwarder is queued to be deployed, and its treasury to be registered. */
export async function newForwarder(
  database: Database,
  chain: HubChain,
): Promise<{ merchantId: MerchantId; forwarder: Address }> {
  const merchantId = asMerchantId(Bun.randomUUIDv7())
  await database`
    insert into merchant (id, name, recipient, config_version, x402_fee_bps, x402_fee_cap)
    values (${merchantId}, 'A merchant', ${addressOf(generatePrivateKey())}, 1, 50, 5000000)`
  const forwarder = await database.begin(async (sql) => {
    const address = await registerForwarder(sql, chain.hub, merchantId)
    await prepareForwarder(sql, merchantId, chain.networkId)
    return address
  })
  return { merchantId, forwarder }
}

/** The same merchant, paid at an address of its own. */
export async function withOwnAddress(
  database: Database,
  { hub }: HubChain,
  merchant: Merchant,
): Promise<Merchant> {
  const address = addressOf(generatePrivateKey())
  const { merchantId } = merchant
  const wanted = { merchantId, address, networkId: null, signature: '0x12' } as const
  const { ok } = await registerOwnAddress(database, hub, wanted, new Date())
  if (!ok) throw new Error('the address was not registered')
  return { ...merchant, forwarder: address }
}

type Merchant = Awaited<ReturnType<typeof newForwarder>>

/**
 * Claims so many payments of about a dollar each, by payers who hold just that; with `walletSignature`
 * by contract wallets that agree to anything, and to that.
 */
export async function dueSettles(
  database: Database,
  chain: HubChain,
  merchant: Merchant,
  count: number,
  walletSignature?: Hex,
): Promise<readonly SignedAuthorization[]> {
  const signed = await authorizeEach(chain, merchant.forwarder, count)
  const wallet = walletSignature && { code: AGREEING_WALLET, signature: walletSignature }
  await claimSettles(database, chain, merchant, signed, wallet)
  return signed
}

/** Claims payments; with a wallet, its code is put where the payers are, and its signature is theirs. */
export async function claimSettles(
  database: Database,
  chain: HubChain,
  { merchantId }: Merchant,
  signed: readonly SignedAuthorization[],
  wallet?: { readonly code: Hex; readonly signature: Hex },
  mostPerPayer = 100,
): Promise<void> {
  const payers = new Set(signed.map(({ authorization }) => authorization.from))
  if (wallet) for (const payer of payers) await placeCode(chain, payer, wallet.code)
  const block = await chain.client.getBlockNumber()
  const claims = signed.map(({ authorization, signature }) => ({
    merchantId,
    endpointId: null,
    networkId: chain.networkId,
    asset: chain.usdc.address,
    authorization,
    signature: wallet?.signature ?? signature,
    isWallet: wallet !== undefined,
    payerCode: wallet === undefined ? null : slice(keccak256(wallet.code), 0, 8),
    balance: 1_000_000_000n,
    block,
    usedNonces: [],
    isAlone: false,
  }))
  const results = await database.begin((sql) => storeClaims(sql, claims, mostPerPayer))
  expect(new Set(results.map(({ type }) => type))).toEqual(new Set(['claimed']))
}

export async function areAllSettlesConfirmed(database: Database): Promise<boolean> {
  const rows = await database`select from x402_payment where confirmed_at is null`
  return rows.length === 0
}

/** Every payment was made once, and chain and ledger agree on where. No payer has a unit left. */
export async function expectSettledOnce(
  database: Database,
  chain: HubChain,
  signed: readonly SignedAuthorization[],
): Promise<void> {
  const told = signed.map(({ authorization }) => ({ authorization, answers: [], unanswered: 0 }))
  await expectTruth({ chain, database }, told)
  for (const { authorization } of signed) {
    const [row] = await database<{ status: string }[]>`
      select status from x402_payment where payer = ${authorization.from}`
    expect(row?.status).toBe('settled')
    expect(await chain.balance(authorization.from)).toBe(0n)
  }
}
