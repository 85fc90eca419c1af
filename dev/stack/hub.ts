/** The hub of the local chains: deployed at the first start, kept for the life of the chains. */
import { join } from 'node:path'
import { hubAddress, hubInitCode } from '../../chain/hub/deployment.ts'
import type { Address } from '../../core/chain/evm.ts'
import { lowerCaseAddress } from '../../core/chain/evm.ts'
import type { Say } from '../processes/terminal.ts'
import { bootstrapChain } from './bootstrap.ts'
import { type Home, readJson, writeSecret } from './home.ts'
import { addressOf, type DevelopmentKeys } from './keys.ts'
import { type Servers, seconds } from './servers.ts'

/**
 * Bootstraps every local chain and returns the hub's address, the same on all of them. Deposit
 * addresses depend on it, so an existing hub stays in use even if its sources have changed.
 */
export async function deployHub(
  home: Home,
  servers: Servers,
  keys: DevelopmentKeys,
  say: Say,
): Promise<Address> {
  const began = performance.now()
  const roles = {
    configSigner: addressOf(keys.configSigner),
    refundSigner: addressOf(keys.refundSigner),
    feeCollector: addressOf(keys.feeCollector),
  }
  const initCode = await hubInitCode(addressOf(keys.owner), 'sandbox')
  const compiled = hubAddress(initCode)
  const path = join(home.dir, 'hub.json')
  const known = recordedHub(readJson(path))
  const hub = known ?? compiled
  if (hub !== compiled) {
    say('the hub on the local chains was built from other sources; --fresh deploys the new one')
  }
  await Promise.all(
    servers.nodes.map(({ chain, node }) =>
      bootstrapChain(chain, node, {
        ownerKey: keys.owner,
        ...roles,
        faucet: addressOf(keys.faucet),
        relayers: (keys.relayers[chain.networkId] ?? []).map(addressOf),
        hub,
        hubInitCode: initCode,
      }),
    ),
  )
  writeSecret(path, `${JSON.stringify({ hub })}\n`)
  say(`hub ${hub} and tokens are deployed (${seconds(began)})`)
  return hub
}

function recordedHub(record: unknown): Address | undefined {
  if (typeof record !== 'object' || record === null || !('hub' in record)) return undefined
  return lowerCaseAddress(String(record.hub))
}
