import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { readDomain } from '../../../chain/tokens/domain.ts'
import { tokenDecimals } from '../../../core/base/money.ts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { readArtifact, TOKEN_ABI } from '../../../dev/stack/artifacts.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { transact } from '../../support/relayer/transactions.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'

/** What a token's contract says of its EIP-712 domain, and when it is not believed. */

const SIX = tokenDecimals(6)
let chain: HubChain

beforeAll(async () => {
  chain = await startHubChain()
}, 60_000)
afterAll(() => chain?.node.stop())

/** Puts a token with these names on the chain, at an address of its own. */
async function placed(name: string, version: string): Promise<Address> {
  const address = addressOf(generatePrivateKey())
  const { deployedBytecode } = await readArtifact('TestUSDC')
  await chain.node.rpc('anvil_setCode', [address, deployedBytecode])
  const args = [name, 'EURC', version, addressOf(chain.ownerKey)] as const
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'initialize', args })
  await transact(chain, chain.ownerKey, address, data)
  return address
}

const read = (address: Address, decimals = SIX, chainId = 84_532) =>
  readDomain(chain.client, { address, decimals }, chainId)

test.each([
  ['Euro Coin', '1'],
  ['EURC', '2'],
  ['€ Coin', '2'],
])('the domain "%s", "%s" is read from the contract', async (name, version) => {
  expect(await read(await placed(name, version))).toEqual({ ok: true, eip712: { name, version } })
})

test('is not believed with other decimals than the registry has', async () => {
  const found = await read(await placed('EURC', '2'), tokenDecimals(18))
  expect(found).toEqual({ ok: false, problem: 'its contract has 6 decimals instead of 18' })
})

test('is not believed when the separator is that of another chain', async () => {
  const found = await read(await placed('EURC', '2'), SIX, 1)
  const problem = 'its DOMAIN_SEPARATOR is not that of its name "EURC" and version "2"'
  expect(found).toEqual({ ok: false, problem })
})

test.each([
  ['no name', '', '2'],
  ['no version', 'EURC', ''],
  ['more text than a name has', 'E'.repeat(65), '2'],
  ['a line break', 'EURC\n', '2'],
])('is not believed with %s', async (_, name, version) => {
  const problem = 'its name and version must have 1 to 64 characters'
  expect(await read(await placed(name, version))).toEqual({ ok: false, problem })
})

test('is not there without a contract that tells it', async () => {
  const problem = 'its contract does not return name, version, decimals and DOMAIN_SEPARATOR'
  expect(await read(lowerCaseAddress(`0x${'5a'.repeat(20)}`))).toEqual({ ok: false, problem })
})

test('a node that is away is no answer of the contract', async () => {
  const address = await placed('EURC', '2')
  await chain.node.stop()
  expect(await read(address).catch(() => 'away')).toBe('away')
})
