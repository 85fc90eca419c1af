import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  concatHex,
  getContractAddress,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
} from 'viem'
import { type FactsQuery, readFacts } from '../../../chain/authorization/facts.ts'
import { DEPLOYMENT_PROXY } from '../../../chain/hub/deployment.ts'
import { type Hex, lowerCaseAddress, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
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
  COMPACT_WALLET,
  codeSize,
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
  expect(facts.map(({ payerCodeSize }) => payerCodeSize)).toEqual(
    [0, 0, 0, 1, 2, 3, 3].map((i) => codeSize(codes[i] ?? '0x')),
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
  expect(facts.map(({ payerCodeSize }) => payerCodeSize)).toEqual([0, 0, 0, 0])
})

function query(payment: SignedAuthorization): FactsQuery {
  return factsQuery(chain, payment)
}

function compactForm(signature: Hex): Hex {
  return serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
}
