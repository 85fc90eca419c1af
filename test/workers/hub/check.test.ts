import { afterAll, beforeAll, expect, test } from 'bun:test'
import pino from 'pino'
import { generatePrivateKey } from 'viem/accounts'
import { ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { hubProblems } from '../../../workers/hub/hubCheck.ts'
import { send } from '../../support/hub/governance.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'

/** What a worker says of its hub before it starts. */

let chain: HubChain
beforeAll(async () => {
  chain = await startHubChain()
}, 120_000)
afterAll(() => chain?.node.stop())

async function check(change: Record<string, string> = {}) {
  const lines: { role?: string }[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const { config, chain: active } = workerConfig(chain.variables(change))
  const problems = await hubProblems(config, [active], log)
  return { problems, logged: lines.flatMap(({ role }) => role ?? []) }
}

const setRefundSigner = (account: `0x${string}`) =>
  send(chain, chain.ownerKey, { functionName: 'setRefundSigner', args: [account] })

test('a worker starts while a signer is dismissed, and says so', async () => {
  expect(await check()).toEqual({ problems: [], logged: [] })
  await setRefundSigner(ZERO_ADDRESS)
  expect(await check()).toEqual({ problems: [], logged: ['refundSigner'] })
  await setRefundSigner(addressOf(chain.roles.refundSigner))
})

test('a worker with the key of another party than the hub knows does not start', async () => {
  await setRefundSigner(addressOf(generatePrivateKey()))
  const { problems, logged } = await check()
  expect(problems).toEqual([expect.stringContaining('has refundSigner 0x')])
  expect(logged).toEqual([])
  await setRefundSigner(addressOf(chain.roles.refundSigner))
})
