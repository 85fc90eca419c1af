import { BlockNotFoundError, type Hex, parseEther } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { encodeAuthorization } from '../../../chain/x402/settlement.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { send, transact } from '../relayer/transactions.ts'
import type { HubChain } from '../servers/chain.ts'
import { eventually } from '../servers/devStack.ts'
import type { Presented } from './cases.ts'
import type { X402Stack } from './stack.ts'

/** What payers, strangers, the token's issuer and the miners do on a chain. */

/** The token's issuer, who owns all its roles on a local chain, does this. */
export async function issuerDoes({ chain }: X402Stack, data: Hex): Promise<void> {
  const { status } = await transact(chain, chain.ownerKey, chain.usdc.address, data)
  if (status !== 'success') throw new Error('the issuer was refused')
}

/** A payer with USDC, and its key. */
export async function newPayerWithKey(
  stack: X402Stack,
  balance = 1_000_000n,
): Promise<{ key: Hex; payer: PrivateKeyAccount }> {
  const key = generatePrivateKey()
  const payer = privateKeyToAccount(key)
  if (balance > 0n) await stack.chain.mint([{ to: payer.address, amount: balance }])
  return { key, payer }
}

/** An account with native coins, which is no one to us. */
export async function newOtherSender({ node }: HubChain): Promise<Hex> {
  const key = generatePrivateKey()
  await fund(node, addressOf(key))
  return key
}

export async function fund(node: HubChain['node'], address: Address): Promise<void> {
  await node.rpc('anvil_setBalance', [address, `0x${parseEther('10').toString(16)}`])
}

/** Another party carries the authorization out. The answer is the transaction's hash. */
export async function submitByOther(
  { chain }: X402Stack,
  presented: Pick<Presented, 'authorization' | 'signature'>,
): Promise<Hex> {
  const data = encodeAuthorization(presented)
  const receipt = await transact(chain, await newOtherSender(chain), chain.usdc.address, data)
  if (receipt.status !== 'success') throw new Error('the stranger was refused')
  return receipt.transactionHash
}

/** Sends a call to the token that goes before ours in the next block, and mines nothing. */
export async function outbid({ chain }: X402Stack, key: Hex, data: Hex): Promise<Hex> {
  await fund(chain.node, addressOf(key))
  return send(chain, key, chain.usdc.address, data, { gas: 200_000n, isFirst: true })
}

/** Resolves once a transaction for the payment is signed, whether or not a node has it. */
export async function untilSigned(stack: X402Stack, presented: Presented): Promise<void> {
  await eventually(
    () => attemptsFor(stack, presented),
    (attempts) => attempts.length > 0,
  )
}

/**
 * Waits until a transaction of ours that carries the payment is in the node's pool and can be mined: all that
 * the key has sent before it is there too. The answer is its hash.
 */
export async function untilSent(stack: X402Stack, presented: Presented): Promise<Hex> {
  const [sent] = await eventually(
    async () => (await attemptsFor(stack, presented)).filter(({ isSent }) => isSent),
    (attempts) => attempts.length > 0,
  )
  if (sent === undefined) throw new Error('nothing was sent')
  const { hash } = sent
  await eventually(
    async () => ({ hash, isMinable: await isMinable(stack.chain, hash) }),
    (seen) => seen.isMinable,
  )
  return hash
}

/** What was signed for the payment. */
function attemptsFor({ database }: X402Stack, { authorization }: Presented) {
  return database<{ hash: Hex; isSent: boolean }[]>`
    select a.hash, a.broadcast_at is not null as is_sent from x402_payment p
    join work_item w on (w.payload->>'paymentId')::uuid = p.id
    join relayer_attempt a on a.tx_id = w.tx_id
    where p.authorization_nonce = ${authorization.nonce}`
}

/** Whether the node would put this transaction into its next block, or has put it into one. */
async function isMinable({ client }: HubChain, hash: Hex): Promise<boolean> {
  const sent = await client.getTransaction({ hash }).catch(() => null)
  if (sent === null || sent.blockHash !== null) return sent !== null
  const next = await client.getTransactionCount({ address: sent.from, blockTag: 'pending' })
  return next > sent.nonce
}

/** Mines a block every 100 ms, on a chain that doesn't by itself, until this has ended. */
export async function whileMining<T>({ chain }: X402Stack, work: Promise<T>): Promise<T> {
  let isOver = false
  const mine = async () => {
    while (!isOver) {
      await chain.mine()
      await Bun.sleep(100)
    }
  }
  const mined = mine()
  try {
    return await work
  } finally {
    isOver = true
    await mined
  }
}

/** The chain's next block comes when the authorization has just expired. */
export async function passValidBefore(
  { chain }: X402Stack,
  { authorization }: Presented,
): Promise<void> {
  await chain.node.rpc('evm_setNextBlockTimestamp', [Number(authorization.validBefore)])
  await chain.mine()
}

/**
 * Replaces a block, and all above it, by empty ones: also where another one is mined meanwhile. What they held is
 * gone from the pool too.
 */
export async function replaceFrom({ node, client }: HubChain, block: bigint): Promise<void> {
  // A node that is just replacing blocks may have none of this number for a moment.
  const hashAt = () =>
    eventually(
      () => client.getBlock({ blockNumber: block }).then(({ hash }) => hash, ifMissing),
      (hash) => hash !== null,
    )
  const before = await hashAt()
  do {
    const head = await client.getBlockNumber({ cacheTime: 0 })
    await node.rpc('anvil_reorg', [Number(head - block) + 1, []])
  } while ((await hashAt()) === before)
}

function ifMissing(error: unknown): null {
  if (error instanceof BlockNotFoundError) return null
  throw error
}
