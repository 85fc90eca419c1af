import { afterAll, beforeAll, expect, test } from 'bun:test'
import { domainSeparator, parseAbi } from 'viem'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { MULTICALL } from '../../../core/channels/channel.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../../core/x402/permitContracts.ts'
import { CANONICAL, placeCanonical } from '../../../dev/stack/canonical.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'

let chain: HubChain

beforeAll(async () => {
  chain = await startHubChain()
})

afterAll(() => chain?.node.stop())

test('a local chain has all of them, and a second start places none', async () => {
  for (const address of CANONICAL) {
    expect(await chain.client.getCode({ address })).toMatch(/^0x[0-9a-f]{100}/)
  }
  expect(await placeCanonical(chain.client, chain.node)).toEqual([])
})

test('one that a chain lacks gets its code, and the others keep theirs', async () => {
  await chain.node.rpc('anvil_setCode', [MULTICALL, '0x'])
  expect(await placeCanonical(chain.client, chain.node)).toEqual([MULTICALL])
})

test('both proxies go through Permit2, whose domain is of its address on this chain', async () => {
  const abi = parseAbi([
    'function PERMIT2() view returns (address)',
    'function DOMAIN_SEPARATOR() view returns (bytes32)',
  ])
  for (const address of Object.values(PERMIT_PROXIES)) {
    const found = await chain.client.readContract({ abi, address, functionName: 'PERMIT2' })
    expect(lowerCaseAddress(found)).toBe(PERMIT2)
  }
  const separator = await chain.client.readContract({
    ...{ abi, address: PERMIT2 },
    functionName: 'DOMAIN_SEPARATOR',
  })
  const domain = { name: 'Permit2', chainId: chain.node.chainId, verifyingContract: PERMIT2 }
  expect(separator).toBe(domainSeparator({ domain }))
})

test('Multicall3 answers', async () => {
  const abi = parseAbi(['function getChainId() view returns (uint256)'])
  const found = await chain.client.readContract({
    abi,
    address: MULTICALL,
    functionName: 'getChainId',
  })
  expect(Number(found)).toBe(chain.node.chainId)
})
