import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { encodeFunctionData, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openChain } from '../../../../chain/rpc/client.ts'
import { carriedPermits } from '../../../../chain/x402/carriedPermits.ts'
import { findPermitUse } from '../../../../chain/x402/permitUse.ts'
import { type Proof, proveUnpaid } from '../../../../chain/x402/unpaid.ts'
import type { Hex } from '../../../../core/chain/evm.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../../../core/x402/permitContracts.ts'
import { readSettles } from '../../../../store/x402/work.ts'
import { transact } from '../../../support/relayer/transactions.ts'
import { workerConfig } from '../../../support/servers/chain.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import {
  behave,
  type FakeRpc,
  NOTHING_ARRIVES,
  startFakeRpc,
} from '../../../support/servers/fakeRpc.ts'
import { isOfBlock, play } from '../../../support/servers/provider.ts'
import { newOtherSender } from '../../../support/x402/chain.ts'
import { approvePermit2 } from '../../../support/x402/permitShops.ts'
import { type PermitTerms, type SignedPermit, signPermit } from '../../../support/x402/permits.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** Payments by Permit2 whose nonce another party uses while our transaction is on its way. */

const ABI = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct Permit { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; uint256 validAfter; }',
  'function settle(Permit permit, address owner, Witness witness, bytes signature)',
  'function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)',
])
const PRICE = 10_000n

let stack: X402Stack
let node: FakeRpc

beforeAll(async () => {
  stack = await startX402Stack({
    workerRpcUrl: (url) => {
      node = startFakeRpc(url)
      return node.url
    },
  })
  // The merchant is deployed and configured, so that no transaction but a payment's is lost.
  await eventually(
    () => stack.database`select from work_item where state in ('queued', 'assigned')`,
    ({ length }) => length === 0,
  )
}, 120_000)

beforeEach(() => behave(node))

afterAll(async () => {
  await stack?.close()
  await node?.stop()
}, 60_000)

/** A payer with money, and what it has signed. */
async function payByPermit(scheme: PermitTerms['scheme']) {
  const key = generatePrivateKey()
  const payer = privateKeyToAccount(key)
  await stack.chain.mint([{ to: payer.address, amount: 100_000n }])
  await approvePermit2(stack.chain, payer)
  const { timestamp } = await stack.chain.client.getBlock()
  const terms = { scheme, payTo: stack.merchant.forwarder, maximum: PRICE, nonce: 300n }
  const deadline = timestamp + 3_600n
  const signed = await signPermit(stack.chain, payer, { ...terms, deadline })
  return { key, signed, deadline }
}

/** The same, with the answer of settle, which waits for our transaction. */
async function settleUnsent(scheme: PermitTerms['scheme']) {
  const { key, signed, deadline } = await payByPermit(scheme)
  node.rule(NOTHING_ARRIVES)
  const answer = stack.settle(signed.body(PRICE))
  await eventually(
    async () =>
      (
        await stack.database`
        select from x402_payment p join work_item w on (w.payload->>'paymentId')::uuid = p.id
        where p.payer = ${signed.payer} and w.state = 'assigned'`
      ).length,
    (count) => count === 1,
  )
  return { key, signed, deadline, answer }
}

/** Another party calls the proxy, which lets anyone do so. */
async function carriedOutByOther(signed: SignedPermit, deadline: bigint): Promise<Hex> {
  const permitted = { token: stack.chain.usdc.address, amount: PRICE }
  const permit = { permitted, nonce: signed.nonce, deadline }
  const witness = { to: stack.merchant.forwarder, validAfter: 0n }
  const args = [permit, signed.payer, witness, signed.signature] as const
  const data = encodeFunctionData({ abi: ABI, functionName: 'settle', args })
  const other = await newOtherSender(stack.chain)
  const { status, transactionHash } = await transact(stack.chain, other, PERMIT_PROXIES.exact, data)
  expect(status).toBe('success')
  return transactionHash
}

/** Whether the chain proves that its row was not paid, once all that was mined is deep. */
async function proofOf({ payer }: SignedPermit): Promise<Proof> {
  await stack.chain.mine(10)
  const items = await stack.database<{ id: bigint }[]>`
    select w.id from work_item w join x402_payment p on p.id = w.subject_id where p.payer = ${payer}`
  const [row] = await readSettles(
    stack.database,
    items.map(({ id }) => id),
  )
  if (row === undefined) throw new Error('it has no row')
  return proveUnpaid(openChain(workerConfig(stack.chain.variables()).chain), row)
}

const heldBy = ({ payer }: SignedPermit) => stack.chain.balance(payer)

test('an exact payment that another party has carried out is settled, by that transaction', async () => {
  const { signed, deadline, answer } = await settleUnsent('exact')
  const transactionHash = await carriedOutByOther(signed, deadline)
  behave(node)
  expect(await answer).toMatchObject({ success: true, transaction: transactionHash })
  expect(await heldBy(signed)).toBe(100_000n - PRICE)
  const why = `it was paid in ${transactionHash}: try it again, to book that`
  expect(await proofOf(signed)).toEqual({ isUnpaid: false, why })
}, 120_000)

test('nor has it failed while the node does not show that transaction in its block', async () => {
  const { signed, deadline, answer } = await settleUnsent('exact')
  const transactionHash = await carriedOutByOther(signed, deadline)
  const { blockHash } = await stack.chain.client.getTransactionReceipt({ hash: transactionHash })
  let looks = 0
  let isDeep = false
  node.rule((call) => {
    if (!isOfBlock(call) || Object(call.params[0]).blockHash !== blockHash) return undefined
    if (isDeep) looks += 1
    return { type: 'result', result: [] }
  })
  await eventually(
    () => stack.database`
      select from relayer_tx t join work_item w on w.tx_id = t.id
      join x402_payment p on p.id = (w.payload->>'paymentId')::uuid
      where p.payer = ${signed.payer} and t.state = 'mined'`,
    ({ length }) => length === 1,
  )
  await stack.chain.mine(10)
  isDeep = true
  await eventually(
    async () => looks,
    (count) => count > 2,
  )
  behave(node)
  expect(await answer).toMatchObject({ success: true, transaction: transactionHash })
}, 120_000)

test('what a node shows of a use decides, and what it lacks is unknown, or for a person', async () => {
  const { signed, deadline } = await payByPermit('exact')
  const txHash = await carriedOutByOther(signed, deadline)
  const { blockNumber } = await stack.chain.client.getTransactionReceipt({ hash: txHash })
  const own = startFakeRpc(stack.chain.node.url)
  const { chain } = workerConfig(stack.chain.variables({ RPC_URL_BASE_SEPOLIA: own.url }))
  const { rpc } = openChain(chain)
  const { address: token } = stack.chain.usdc
  const { forwarder: to } = stack.merchant
  const sought = { hub: stack.chain.hub, token, payer: signed.payer, to, amount: PRICE }
  const find = () =>
    findPermitUse(rpc, { ...sought, nonce: signed.nonce, isExact: true }, 0n, blockNumber)
  expect(await find()).toMatchObject({ type: 'paid', txHash })
  play(own, { nullReceipts: true })
  expect(await find()).toEqual({ type: 'unknown' })
  play(own)
  own.rule(({ method }) =>
    method === 'eth_call'
      ? { type: 'error', code: -32_000, message: 'missing trie node 12 (path )' }
      : undefined,
  )
  expect(await find()).toEqual({ type: 'unclear', txHash })
  await own.stop()
}, 60_000)

test('what a hub has carried out is read whole, or not at all', async () => {
  const { signed } = await payByPermit('exact')
  expect(await stack.settle(signed.body(PRICE))).toMatchObject({ success: true })
  const own = startFakeRpc(stack.chain.node.url)
  const { chain } = workerConfig(stack.chain.variables({ RPC_URL_BASE_SEPOLIA: own.url }))
  const { rpc } = openChain(chain)
  const head = await stack.chain.client.getBlockNumber()
  const { hub, usdc } = stack.chain
  const read = () => carriedPermits(rpc, hub, usdc.address, [signed.payer], 0n, head)
  expect((await read()).map(({ value }) => value)).toEqual([PRICE])
  play(own, { nullReceipts: true })
  await expect(read()).rejects.toThrow('does not show logs')
  await own.stop()
}, 60_000)

test('an exact payment carried out before anyone asked for it is refused: nothing tells who was paid', async () => {
  const { signed, deadline } = await payByPermit('exact')
  await carriedOutByOther(signed, deadline)
  const body = signed.body(PRICE)
  expect(await stack.verify(body)).toMatchObject({
    isValid: false,
    invalidReason: 'authorization_used',
  })
  expect(await stack.settle(body)).toMatchObject({ success: false, error: 'authorization_used' })
  expect(await stack.database`select from x402_payment where payer = ${signed.payer}`).toHaveLength(
    0,
  )
}, 60_000)

test('an upto payment whose nonce the payer has used up has failed', async () => {
  const { key, signed, answer } = await settleUnsent('upto')
  const data = encodeFunctionData({
    abi: ABI,
    functionName: 'invalidateUnorderedNonces',
    args: [300n >> 8n, 1n << (300n & 0xffn)],
  })
  const { status } = await transact(stack.chain, key, PERMIT2, data)
  expect(status).toBe('success')
  behave(node)
  expect(await answer).toMatchObject({ success: false, error: 'authorization_used' })
  expect(await heldBy(signed)).toBe(100_000n)
  expect(await proofOf(signed)).toEqual({ isUnpaid: true, reason: 'authorization_used' })
}, 120_000)
