import { formatEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { hasCode } from '../../chain/blocks/accounts.ts'
import { readHub } from '../../chain/hub/contract.ts'
import {
  costOf,
  DEPLOYMENT_PROXY,
  deploymentCall,
  sendAndWait,
} from '../../chain/hub/deployment.ts'
import { missingCalls, readHubState, setupDifferences } from '../../chain/hub/setup.ts'
import { type Address, checksumAddress, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { HubConfig } from '../../core/config/hub.ts'
import {
  CommandError,
  type CommandInput,
  type CommandOutcome,
  type CommandSpec,
} from '../terminal/command.ts'
import { columns } from '../terminal/output.ts'
import { carryOut, type Step, stepText } from './owner.ts'
import { type HubSite, hubSite, setupOf } from './settings.ts'
import { identityDifferences } from './status.ts'

export const hubDeploy: CommandSpec = {
  words: ['hub', 'deploy'],
  about: 'Deploy the hub on a chain and set it up.',
  details: `The hub's address is determined by the committed init code, REMIT_ENV and HUB_OWNER, and is the same on
every chain. HUB_DEPLOYER_KEY pays for it, or HUB_OWNER_KEY. With HUB_OWNER_KEY the owner then appoints
CONFIG_SIGNER, REFUND_SIGNER (or the addresses of their keys), FEE_COLLECTOR, HUB_GUARDIAN and the relayers
of RELAYER_KEYS_<CHAIN>, lists the registry's tokens with HUB_REFUND_LIMIT_<TOKEN>, lets RECOVERABLE_TOKENS
and native coin be refunded within theirs, and sets HUB_OWNER_DELAY_S and HUB_CONFIG_DELAY_S last; without
the key, these calls are printed. Repeating the command completes missing steps. Once the owner has a delay, these
are proposed first, and executed when the command is repeated after the delay.`,
  options: { chain: { value: 'ID', about: 'The chain, e.g. base-sepolia', required: true } },
  examples: ['hub deploy --chain base-sepolia', 'hub deploy --chain base --json'],
  run: deploy,
}

async function deploy(input: CommandInput): Promise<CommandOutcome> {
  const site = await hubSite(input)
  const { config, predicted, query } = site
  if (config.hub !== null && config.hub !== predicted) {
    throw new CommandError([
      `HUB_ADDRESS is ${config.hub}, but this code with this owner is ${predicted}: unset HUB_ADDRESS to deploy a second hub, or restore the owner that the first one was deployed with`,
    ])
  }
  input.say(`the hub's address is ${checksumAddress(predicted)}, on every chain`)
  const existing = await query(({ rpc }) => readHub(rpc, predicted))
  const transaction = existing.type === 'hub' ? null : await deployNow(site, input)
  const hub = transaction === null ? existing : await query(({ rpc }) => readHub(rpc, predicted))
  if (hub.type !== 'hub') {
    throw new CommandError([`${transaction} was mined, but there is no hub at ${predicted}`])
  }
  const setup = setupOf(config)
  const before = await query(({ rpc }) => readHubState(rpc, predicted, hub.roles, setup))
  const ownership = { hub: predicted, owner: hub.roles.owner, delay: before.delays.owner }
  const steps = await carryOut(site, ownership, missingCalls(predicted, setup, before), input)
  const differences = [
    ...identityDifferences(config, hub.roles),
    ...setupDifferences(setup, before),
  ]
  return outcome(config, predicted, transaction, steps, differences)
}

function outcome(
  { chain, environment }: HubConfig,
  hub: Address,
  transaction: Hex | null,
  steps: readonly Step[],
  differences: readonly string[],
): CommandOutcome {
  const { networkId, chainId } = chain
  const address = checksumAddress(hub)
  const table = columns([
    ['hub', `${address} on ${networkId}`],
    ['deployed', transaction ?? 'before'],
    ...steps.map((step) => [step.what, stepText(step)]),
    ...(steps.length === 0 ? [['set up', 'before; nothing to do']] : []),
    ...differences.map((difference) => ['note', difference]),
  ])
  const deployed = transaction !== null
  const report = { networkId, chainId, environment, hub: address, deployed, transaction }
  return {
    json: { ...report, steps, differences },
    text: `${table}\nSet HUB_ADDRESS=${address} for every process.`,
  }
}

/** Deploys through the proxy, after checking the proxy and the deployer's balance. */
async function deployNow(site: HubSite, input: CommandInput): Promise<Hex> {
  const { config, query, initCode, predicted } = site
  const { deployerKey } = config
  const { networkId, symbol } = config.chain
  if (!(await query(({ rpc }) => hasCode(rpc, DEPLOYMENT_PROXY)))) {
    throw new CommandError([
      `${networkId} has no deterministic deployment proxy at ${DEPLOYMENT_PROXY}: deploy it first (its one transaction is published with Arachnid/deterministic-deployment-proxy), else the hub's address would differ here`,
    ])
  }
  const call = deploymentCall(initCode)
  if (deployerKey === null) {
    throw new CommandError([
      `no account pays for the deployment: set HUB_DEPLOYER_KEY (or HUB_OWNER_KEY), or send the proxy ${call.to} this data from any account: ${call.data}`,
    ])
  }
  const from = lowerCaseAddress(privateKeyToAddress(deployerKey))
  const balance = await query(({ rpc }) => rpc.getBalance({ address: from }))
  // Nodes refuse estimates for accounts without funds.
  const cost = balance === 0n ? null : await query(({ rpc }) => costOf(rpc, from, call))
  if (balance === 0n || (cost !== null && balance < cost)) {
    const needed = cost === null ? 'some' : formatEther(cost)
    throw new CommandError([
      `${checksumAddress(from)} has ${formatEther(balance)} ${symbol} on ${networkId} and needs ${needed}: fund it`,
    ])
  }
  input.say(`deploying to ${predicted} on ${networkId} …`)
  return await query(({ rpc }) => sendAndWait(rpc, deployerKey, call))
}
