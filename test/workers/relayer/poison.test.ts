import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeErrorResult, parseAbi } from 'viem'
import { cleanText } from '../../../core/base/text.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { readAlarms } from '../../../store/turns/alarms.ts'
import { copyLedger } from '../../support/invoice/ledgerCopy.ts'
import { openRelayer, settleAll, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { dueSettles, newForwarder } from '../../support/relayer/settles.ts'
import { dueSweeps, expectSweptOnce, states } from '../../support/relayer/sweeps.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { type FakeRpc, script } from '../../support/servers/fakeRpc.ts'

/** One item that can't be worked on, among others that can. */

let rig: RelayerRig
let chain: HubChain
let node: FakeRpc

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 8 })
  chain = rig.chain
  node = rig.node
}, 120_000)

afterAll(() => rig?.close())

/** Code that shows everyone a balance, and reverts with a sentence whatever else it is called for. */
function revertingWith(sentence: string): Hex {
  const abi = parseAbi(['error Error(string message)'])
  const data = encodeErrorResult({ abi, errorName: 'Error', args: [sentence] })
  const length = ((data.length - 2) / 2).toString(16).padStart(2, '0')
  const unlessBalance = '60003560e01c6370a0823114601b57'
  const revert = `60${length}602960003960${length}6000fd`
  const balance = '5b63ffffffff60005260206000f3'
  return `0x${unlessBalance}${revert}${balance}${data.slice(2)}`
}

describe('a sweep about which a node refuses to say anything', () => {
  test('holds up neither its batch nor others, and is decided when the node answers', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const swept = await dueSweeps(database, chain, 1, { pays: 'recipient' })
    const other = await rig.ownDatabase()
    await copyLedger(database, other)
    await settleAll(other, chain, [openRelayer(other, chain, { key: rig.ownKey() })])
    const healthy = await dueSweeps(database, chain, 5, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url })
    node.rule(({ method }) => {
      if (method !== 'eth_getLogs') return undefined
      return { type: 'error', code: -32_600, message: 'block range is too wide' }
    })
    await step(chain, relayer, 6)
    expect(await states(database)).toEqual({
      'settlement confirmed': 5,
      'settlement open': 1,
      'sweep settled': 5,
      'sweep assigned': 1,
    })
    const asides = (await readAlarms(database)).filter(({ kind }) => kind === 'aside')
    expect(asides).toMatchObject([
      {
        detail: expect.stringContaining('range'),
        subject: expect.stringContaining('decide work item'),
      },
    ])
    // Its transaction is never final before it is decided, or no one would look at it again.
    await chain.mine(40)
    await relayer.turn()
    const [tx] = await database`select state from relayer_tx`
    expect(tx?.state).toBe('mined')
    node.rule()
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, [...swept, ...healthy], collected)
    await step(chain, relayer)
    const [over] = await database`select state from relayer_tx`
    expect(over?.state).toBe('final')
    expect(await readAlarms(database)).toEqual([])
  })
})

describe('text from a chain', () => {
  test('is stored without what Postgres refuses, regardless of what a token says', async () => {
    const database = await rig.ownDatabase()
    await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: rig.ownKey() })
    const usdc = chain.usdc.address
    const code = await chain.client.getCode({ address: usdc })
    await chain.node.rpc('anvil_setCode', [usdc, revertingWith('no\u0000, \u001b[31mnever')])
    await step(chain, relayer, 4)
    await chain.node.rpc('anvil_setCode', [usdc, code])
    const items = await database`select result from work_item`
    expect(items.map(({ result }) => result)).toEqual([
      { error: 'no ,  [31mnever' },
      { error: 'no ,  [31mnever' },
    ])
    expect(await states(database)).toEqual({ 'settlement failed': 2, 'sweep failed': 2 })
  })

  test('is stored likewise when a node says it of what it was sent', async () => {
    const database = await rig.ownDatabase()
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url })
    const message = 'the\u0000moon is full'
    node.rule(script('eth_sendRawTransaction', [{ type: 'error', code: -32_000, message }]))
    await relayer.turn()
    node.rule()
    const attempts = await database`select last_error from relayer_attempt`
    expect(attempts.map(({ lastError }) => lastError)).toEqual(['the moon is full'])
    await settleAll(database, chain, [relayer])
  })

  test('is cut where no character is halved', () => {
    expect(cleanText(`a${'\u{1f600}'.repeat(3)}`, 4)).toBe('a\u{1f600}\ufffd')
    expect(cleanText('\ud800 alone')).toBe('\ufffd alone')
    expect(cleanText('line\r\nline\u202e\u0085end')).toBe('line line end')
  })
})

describe('a payment that no call can be made of', () => {
  test('is put aside, and the others go out', async () => {
    const database = await rig.ownDatabase()
    const relayer = openRelayer(database, chain, {
      key: rig.ownKey(),
      timing: { quarantineMs: 60_000 },
    })
    const place = await newForwarder(database, chain)
    const [first] = await dueSettles(database, chain, place, 1)
    const payer = first?.authorization.from ?? ''
    await database`update x402_payment set signature = '0x00' where payer = ${payer}`
    await dueSettles(database, chain, place, 3)
    await step(chain, relayer, 6)
    expect(await states(database)).toMatchObject({ 'x402 queued': 1, 'x402 settled': 3 })
  })

  test('has no alarm any more once another has ended it', async () => {
    const database = await rig.ownDatabase()
    const relayer = openRelayer(database, chain, { key: rig.ownKey() })
    await dueSettles(database, chain, await newForwarder(database, chain), 1)
    await database`update x402_payment set signature = '0x00'`
    await step(chain, relayer)
    expect(await readAlarms(database)).toMatchObject([{ kind: 'aside' }])
    await database`update x402_payment set status = 'failed', reason = 'authorization_used'`
    await database`update work_item set state = 'failed'`
    await step(chain, relayer)
    expect(await readAlarms(database)).toEqual([])
  })
})
