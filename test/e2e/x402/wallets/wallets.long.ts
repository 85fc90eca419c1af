import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { concatHex, encodeAbiParameters } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  type Address,
  type Hex,
  lowerCaseAddress,
  ZERO_ADDRESS,
} from '../../../../core/chain/evm.ts'
import { addressOf } from '../../../../dev/stack/keys.ts'
import { AGREEING_WALLET, BURNING_WALLET, keyWallet } from '../../../support/servers/bytecode.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import { randomAddress, randomHex } from '../../../support/x402/authorizations.ts'
import {
  effectOf,
  expectRefused,
  expectSettled,
  type Presented,
  present,
  type Variation,
} from '../../../support/x402/cases.ts'
import { newOtherSender, submitByOther } from '../../../support/x402/chain.ts'
import { v2Body } from '../../../support/x402/requests.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import { burnsUnlessZero, placeCode, TREACHEROUS_WALLET } from '../../../support/x402/walletCode.ts'

/** Payers with code: the token asks them about signatures (ERC-1271), and no one else decides. */

const SIGNATURE = 'invalid_exact_evm_payload_signature'
const UNDEPLOYED = 'invalid_exact_evm_payload_undeployed_smart_wallet'
/** ERC-6492: what the signature of a wallet ends with that doesn't exist yet. */
const MAGIC: Hex = `0x${'6492'.repeat(16)}`

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack()
}, 120_000)

afterAll(() => stack.close())

describe('a contract wallet', () => {
  test('pays by the signature of its key, in the lane of wallets', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const wallet = await walletWith(keyWallet(lowerCaseAddress(owner.address)))
    const presented = await presentFrom(wallet, { payer: owner })
    await expectSettled(stack, presented)
    const rows = await stack.database`
      select w.kind from work_item w join x402_payment p on p.id = (w.payload->>'paymentId')::uuid
      where p.payer = ${wallet} and w.kind = 'x402_wallet' and p.is_wallet`
    expect(rows).toHaveLength(1)
    expect(await stack.settle(presented.body)).toMatchObject({ error: 'duplicate_settlement' })
  })

  test('may have signatures of any length', async () => {
    const wallet = await walletWith(AGREEING_WALLET)
    for (const signature of ['0x01', randomHex(65), randomHex(64), randomHex(4_000)] as const) {
      await expectSettled(stack, await presentFrom(wallet, { signature }))
    }
  })

  test('is refused with the signature of any other key, or with none', async () => {
    const owner = lowerCaseAddress(privateKeyToAccount(generatePrivateKey()).address)
    const wallet = await walletWith(keyWallet(owner))
    await expectRefused(stack, await presentFrom(wallet), SIGNATURE)
    for (const signature of [randomHex(65), randomHex(12), '0x00'] as const) {
      await expectRefused(stack, await presentFrom(wallet, { signature }), SIGNATURE)
    }
  })

  test('that says no to everything, or knows nothing of ERC-1271, is refused', async () => {
    for (const code of ['0x60205ff3', '0x00', '0x5f5ffd'] as const) {
      await expectRefused(stack, await presentFrom(await walletWith(code)), SIGNATURE)
    }
  })

  test('that burns all gas is refused and costs us none', async () => {
    await expectRefused(stack, await presentFrom(await walletWith(BURNING_WALLET)), SIGNATURE)
  })

  test('that would burn it in transactions of relayers alone is refused as well', async () => {
    const [one, two] = stack.chain.relayerKeys.map(addressOf)
    const isRelayer = `73${one?.slice(2)}321473${two?.slice(2)}321417`
    for (const tell of ['3a', isRelayer]) {
      const presented = await presentFrom(await walletWith(burnsUnlessZero(tell)))
      await expectRefused(stack, presented, SIGNATURE)
    }
  })

  test('without funds is refused', async () => {
    const wallet = await walletWith(AGREEING_WALLET, 0n)
    await expectRefused(stack, await presentFrom(wallet), 'insufficient_funds')
  })

  test('that burns gas on the chain alone is given one try, and sinks no one', async () => {
    const presented = await presentTreacherous()
    const honest = await presentFrom(await walletWith(AGREEING_WALLET))
    const plain = await present(stack)
    const effect = await effectOf(stack, presented, async () => {
      const answers = await Promise.all(
        [presented, honest, plain].map(({ body }) => stack.settle(body)),
      )
      expect(answers).toMatchObject([
        { success: false, error: 'settlement_pending' },
        { success: true },
        { success: true },
      ])
      await untilWork(presented, 'held')
    })
    expect(effect).toMatchObject({
      isUsed: false,
      spent: 0n,
      payment: { status: 'pending', reason: null },
    })
    // One for the plain account, and one for each wallet unless they shared it.
    expect(effect.transactions).toBeLessThanOrEqual(3)
  })

  test('that burnt gas once pauses, and what it asks for then is refused or waits', async () => {
    const presented = await presentTreacherous()
    const { from } = presented.authorization
    expect(await stack.settle(presented.body)).toMatchObject({ error: 'settlement_pending' })
    await untilWork(presented, 'held')
    await placeCode(stack.chain, from, AGREEING_WALLET)
    const next = await presentFrom(from, { signature: '0x01' })
    await expectRefused(stack, next, 'invalid_transaction_state')
    const refusal = { isValid: false, invalidReason: 'invalid_transaction_state' }
    expect(await stack.verify(presented.body)).toMatchObject(refusal)
    const { transactions } = await effectOf(stack, presented, async () => {
      expect(await stack.settle(presented.body)).toMatchObject({ error: 'settlement_pending' })
    })
    expect(transactions).toBe(0)

    await stack.database`update x402_wallet_pause set until = now() where payer = ${from}`
    // What was refused and never claimed may be asked for, and what was held is sent when it is.
    await expectSettled(stack, presented)
    await expectSettled(stack, next)
    const pauses = await stack.database`select from x402_wallet_pause where payer = ${from}`
    expect(pauses).toHaveLength(0)
  })

  test('that burnt gas once is credited with what another party carried out', async () => {
    const presented = await presentTreacherous()
    expect(await stack.settle(presented.body)).toMatchObject({ error: 'settlement_pending' })
    await untilWork(presented, 'held')
    await placeCode(stack.chain, presented.authorization.from, AGREEING_WALLET)
    const transaction = await submitByOther(stack, presented)
    expect(await stack.settle(presented.body)).toMatchObject({ success: true, transaction })
    expect(await stack.settle(presented.body)).toMatchObject({ error: 'duplicate_settlement' })
  })
})

describe('a wallet that does not exist yet', () => {
  test('is refused, regardless of the factory', async () => {
    const factory = randomAddress()
    const presented = await presentFrom(await walletWith('0x'), {
      signature: wrapped(factory, '0x12345678', randomHex(65)),
    })
    await expectRefused(stack, presented, UNDEPLOYED)
  })

  test('is refused even when its factory would say yes to anything', async () => {
    const factory = await walletWith(AGREEING_WALLET, 0n)
    const presented = await presentFrom(await walletWith('0x'), {
      signature: wrapped(factory, '0x', '0x01'),
    })
    await expectRefused(stack, presented, UNDEPLOYED)
  })

  test('and exists by now pays by the signature inside', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const wallet = await walletWith(keyWallet(lowerCaseAddress(owner.address)))
    const bare = await presentFrom(wallet, { payer: owner })
    const signature = wrapped(randomAddress(), '0x', bare.signature)
    const body = v2Body(bare.requirements, bare.authorization, signature)
    await expectSettled(stack, { ...bare, body })
  })

  test('with a broken wrapping is refused', async () => {
    const good = wrapped(randomAddress(), '0x12', randomHex(65))
    const broken = concatHex([`0x${good.slice(2, 66)}`, MAGIC])
    const presented = await presentFrom(await walletWith('0x'), { signature: broken })
    await expectRefused(stack, presented, SIGNATURE)
  })
})

describe('an account that delegated by EIP-7702', () => {
  test('pays by its own key when its delegate accepts that', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const address = lowerCaseAddress(account.address)
    await stack.chain.mint([{ to: address, amount: PRICE }])
    await delegate(account, await walletWith(keyWallet(address), 0n))
    const presented = await present(stack, { payer: account })
    await expectSettled(stack, presented)
  })

  test('is refused when its delegate knows nothing of signatures, and pays again without one', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const address = lowerCaseAddress(account.address)
    await stack.chain.mint([{ to: address, amount: PRICE }])
    await delegate(account, await walletWith('0x00', 0n))
    const presented = await present(stack, { payer: account })
    await expectRefused(stack, presented, SIGNATURE)
    await delegate(account, ZERO_ADDRESS)
    await expectSettled(stack, presented)
  })
})

/** A payment of a wallet that agrees in trials only; the call waits no longer than it must. */
async function presentTreacherous(): Promise<Presented> {
  const wallet = await walletWith(TREACHEROUS_WALLET)
  return presentFrom(wallet, { requirements: { maxTimeoutSeconds: 3 } })
}

/** Waits until the payment's work has come to this state after one try. */
async function untilWork({ authorization }: Presented, state: string): Promise<void> {
  await eventually(
    () => stack.database`
      select w.tries from work_item w
      join x402_payment p on p.id = (w.payload->>'paymentId')::uuid
      where p.payer = ${authorization.from} and w.state = ${state} and w.tries = 1`,
    (rows) => rows.length === 1,
  )
}

/** An account with this code, and USDC. */
async function walletWith(code: Hex, balance = 10n * PRICE): Promise<Address> {
  const address = randomAddress()
  await stack.chain.node.rpc('anvil_setCode', [address, code])
  if (balance > 0n) await stack.chain.mint([{ to: address, amount: balance }])
  return address
}

/** A payment from this address, with the given signature, or that of the payer's or a random key. */
async function presentFrom(
  from: Address,
  given: Pick<Variation, 'payer' | 'requirements'> & { readonly signature?: Hex } = {},
): Promise<Presented> {
  const { payer = privateKeyToAccount(generatePrivateKey()), requirements = {}, signature } = given
  const resign = (own: Hex) => signature ?? own
  return present(stack, { payer, terms: { from }, requirements, resign })
}

function wrapped(factory: Address, data: Hex, signature: Hex): Hex {
  const types = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
  return concatHex([encodeAbiParameters(types, [factory, data, signature]), MAGIC])
}

/** The account's code becomes that of another address; the zero address takes it away again. */
async function delegate(account: Presented['payer'], address: Address): Promise<void> {
  const { chain } = stack
  const { client, node } = chain
  const sponsor = privateKeyToAccount(await newOtherSender(chain))
  const nonce = await client.getTransactionCount({ address: account.address })
  const authorization = await account.signAuthorization({ address, chainId: node.chainId, nonce })
  const raw = await sponsor.signTransaction({
    type: 'eip7702',
    chainId: node.chainId,
    nonce: 0,
    to: sponsor.address,
    gas: 200_000n,
    maxFeePerGas: 20_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    authorizationList: [authorization],
  })
  const hash = await client.request({ method: 'eth_sendRawTransaction', params: [raw] })
  await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
}
