import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import type { Address } from '../../core/chain/evm.ts'
import { claimPort } from '../../dev/servers/ports.ts'
import { addressOf } from '../../dev/stack/keys.ts'
import type { HubChain } from '../../test/support/servers/chain.ts'
import { type ServerProcess, startScript } from '../servers.ts'
import { PRICE, startBenchChain } from './chain.ts'
import { inScheme } from './schemes/requirements.ts'
import type { PaymentRequirements, Side, SideOptions } from './side.ts'

/** One for each start of the facilitator. */
const ACCOUNTS = 12
/** Bun's own limit of 256 requests at a time would hold its calls to the node back. */
const MANY_REQUESTS = { BUN_CONFIG_MAX_HTTP_REQUESTS: '16384' }

/** The reference facilitator on a fresh chain. */
export async function startReference(
  name: 'plain' | 'nonceManager',
  options: SideOptions,
): Promise<Side> {
  const dir = mkdtempSync('/tmp/remit-bench-')
  const chain = await startBenchChain(options.blocks, ACCOUNTS)
  const port = await claimPort(0, 'the reference')
  const keys = chain.relayerKeys.values()
  const payees = Array.from({ length: options.merchants }, () => addressOf(generatePrivateKey()))
  let account: Address
  const start = () => {
    const { value, done } = keys.next()
    if (done) throw new Error('the reference has no account left to start with')
    account = addressOf(value)
    const variables = {
      ...MANY_REQUESTS,
      PORT: String(port),
      RPC_URL: chain.node.url,
      RELAYER_KEY: value,
      NONCE_MANAGER: name === 'nonceManager' ? '1' : '0',
    }
    return startScript('bench/x402/facilitator.ts', variables, join(dir, 'reference.log'), port)
  }
  let running: ServerProcess = await start()
  return {
    name,
    chain,
    port,
    paths: { verify: '/verify', settle: '/settle' },
    headers: {},
    get merchants() {
      return payees.map((payTo) => requirementsFor(chain, payTo, account, options))
    },
    senders: chain.relayerKeys.map(addressOf),
    get processes() {
      return { facilitator: running.pid, chain: chain.node.pid }
    },
    async rest() {
      // A broadcast that failed leaves a gap in the account's nonces, and nothing after it is mined:
      // each measurement gets a process and an account without a past.
      await running.stop()
      running = await start()
    },
    async stop() {
      await running.stop()
      await chain.node.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Payments go straight to the merchant, by the account that facilitates at the moment. */
function requirementsFor(
  chain: HubChain,
  payTo: Address,
  facilitator: Address,
  { scheme }: SideOptions,
): PaymentRequirements {
  const exact = {
    scheme: 'exact',
    network: `eip155:${chain.node.chainId}`,
    amount: String(PRICE * 1_000_000),
    asset: chain.usdc.address,
    payTo,
    maxTimeoutSeconds: 300,
    extra: { ...chain.usdc.eip712 },
  }
  return scheme === undefined ? exact : inScheme(scheme, exact, chain, facilitator)
}
