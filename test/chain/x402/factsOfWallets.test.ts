import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  concatHex,
  createPublicClient,
  getContractAddress,
  http,
  keccak256,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
  slice,
} from 'viem'
import { DEPLOYMENT_PROXY } from '../../../chain/hub/deployment.ts'
import { type FactsQuery, readFacts } from '../../../chain/x402/authorizationFacts.ts'
import { type Hex, lowerCaseAddress, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { startFakeRpc } from '../../support/servers/fakeRpc.ts'
import {
  authorize,
  authorizeEach,
  authorizePaid,
  factsQuery,
  randomAddress,
  randomHex,
  type SignedAuthorization,
} from '../../support/x402/authorizations.ts'
import {
  AGREEING_WALLET,
  BURNING_WALLET,
  burnsUnlessZero,
  COMPACT_WALLET,
  initCodeOf,
  placeCode,
  REFUSING_WALLET,
} from '../../support/x402/walletCode.ts'

const forwarder = randomAddress()
let chain: HubChain

beforeAll(async () => {
  chain = await startHubChain()
})

afterAll(() => chain.node.stop())

test('a payer with code is asked, with the signature as it came and gas up to the cap', async () => {
  const payments = await authorizeEach(chain, forwarder, 4)
  const codes = [AGREEING_WALLET, REFUSING_WALLET, BURNING_WALLET, COMPACT_WALLET]
  for (const [i, code] of codes.entries()) {
    await placeCode(chain, payments[i]?.authorization.from ?? ZERO_ADDRESS, code)
  }
  const queries = payments.map(query)
  const [agreeing, refusing, burning, compact] = queries
  if (!agreeing || !refusing || !burning || !compact) throw new Error('there are four')
  const facts = await readFacts(chain.client, [
    agreeing,
    { ...agreeing, signature: '0x' },
    { ...agreeing, signature: randomHex(700) },
    refusing,
    burning,
    compact,
    { ...compact, signature: compactForm(compact.signature) },
  ])
  expect(facts.map(({ payerCodeHash }) => payerCodeHash)).toEqual(
    [0, 0, 0, 1, 2, 3, 3].map((i) => slice(keccak256(codes[i] ?? '0x'), 0, 8)),
  )
  const outcomes = facts.map((one) => (one.trial.ok === false ? one.trial.error : 'paid'))
  expect(outcomes).toEqual([
    'paid',
    'paid',
    'paid',
    'FiatTokenV2: invalid signature',
    'FiatTokenV2: invalid signature',
    'FiatTokenV2: invalid signature',
    'paid',
  ])
})

describe('a trial in the name of a relayer', () => {
  const sender = { from: randomAddress(), tip: 7_000_000n }
  /** Not zero in a transaction of that relayer, and zero in a call that is like none. */
  const TELLS = {
    'the price of gas': '3a',
    'who sent it': `73${sender.from.slice(2)}3214`,
  }

  test.each(Object.entries(TELLS))('is not told from a transaction by %s', async (_, tell) => {
    const payment = await authorizePaid(chain, { to: forwarder })
    await placeCode(chain, payment.authorization.from, burnsUnlessZero(tell))
    const [withoutSender] = await readFacts(chain.client, [query(payment)])
    expect(withoutSender?.trial.ok).toBe(true)
    const [asARelayer] = await readFacts(chain.client, [query(payment)], { sender })
    expect(asARelayer?.trial.ok).toBe(false)
  })

  test('pays the tip that it is told to', async () => {
    const payment = await authorizePaid(chain, { to: forwarder })
    const isOurTip = `62${sender.tip.toString(16).padStart(6, '0')}483a0314`
    await placeCode(chain, payment.authorization.from, burnsUnlessZero(isOurTip))
    const [told] = await readFacts(chain.client, [query(payment)], { sender })
    expect(told?.trial.ok).toBe(false)
    const [other] = await readFacts(chain.client, [query(payment)], {
      sender: { ...sender, tip: 1n },
    })
    expect(other?.trial.ok).toBe(true)
  })

  test('goes without a price on a node that knows no state overrides', async () => {
    const node = startFakeRpc(chain.node.url)
    const asked: number[] = []
    node.rule(({ method, params }) => {
      if (method !== 'eth_call' || !Array.isArray(params)) return undefined
      asked.push(params.length)
      const message = 'too many arguments, want at most 2'
      return params.length > 2 ? { type: 'error', code: -32602, message } : undefined
    })
    const client = createPublicClient({ transport: http(node.url, { retryCount: 0 }) })
    const payment = await authorizePaid(chain, { to: forwarder })
    await placeCode(chain, payment.authorization.from, burnsUnlessZero(TELLS['who sent it']))
    for (const _ of [1, 2]) {
      const [facts] = await readFacts(client, [query(payment)], { sender })
      expect(facts?.trial.ok).toBe(false)
    }
    expect(asked).toEqual([3, 2, 2])
    await node.stop()
  })
})

test('a plain payer may sign in 64 bytes, or with v as 0 or 1', async () => {
  const payment = await authorizePaid(chain, { to: forwarder })
  const { r, s, yParity } = parseSignature(payment.signature)
  const facts = await readFacts(chain.client, [
    { ...query(payment), signature: compactForm(payment.signature) },
    { ...query(payment), signature: concatHex([r, s, yParity === 0 ? '0x00' : '0x01']) },
  ])
  expect(facts.map(({ trial }) => trial.ok)).toEqual([true, true])
})

test('a wallet that does not exist yet is created for its trial, and is gone after it', async () => {
  const salt = randomHex(32)
  const initCode = initCodeOf(AGREEING_WALLET)
  const created = getContractAddress({
    opcode: 'CREATE2',
    from: DEPLOYMENT_PROXY,
    salt,
    bytecode: initCode,
  })
  const from = lowerCaseAddress(created)
  await chain.mint([{ to: from, amount: 1_000_000n }])
  const payment = await authorize(chain, { from, to: forwarder })
  const preparation = { to: DEPLOYMENT_PROXY, data: concatHex([salt, initCode]) }
  const facts = await readFacts(chain.client, [
    { ...query(payment), preparation },
    query(payment),
    { ...query(payment), preparation: { to: randomAddress(), data: '0x' } },
    { ...query(payment), preparation: { to: chain.usdc.address, data: '0xffffffff' } },
  ])
  expect(facts.map(({ trial }) => trial.ok)).toEqual([true, false, false, false])
  expect(facts.map(({ payerCodeHash }) => payerCodeHash)).toEqual([null, null, null, null])
})

function query(payment: SignedAuthorization): FactsQuery {
  return factsQuery(chain, payment)
}

function compactForm(signature: Hex): Hex {
  return serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
}
