import { formatEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { hasCode } from '../../chain/accounts.ts'
import { type HubRoles, isOperator, readHub } from '../../chain/hub/contract.ts'
import {
  costOf,
  DEPLOYMENT_PROXY,
  deploymentCall,
  operatorCall,
  sendAndWait,
  type UnsignedCall,
} from '../../chain/hub/deployment.ts'
import { type Address, checksumAddress, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import {
  CommandError,
  type CommandInput,
  type CommandOutcome,
  type CommandSpec,
} from '../terminal/command.ts'
import { columns } from '../terminal/output.ts'
import { checkNode, type HubSite, hubSite } from './settings.ts'
import { roleDifferences } from './status.ts'

export const hubDeploy: CommandSpec = {
  words: ['hub', 'deploy'],
  about: 'Deploy the hub on a chain and appoint the configured relayers as operators.',
  details: `The hub's address follows from the committed init code and these settings, and is the same on every
chain: REMIT_ENV, HUB_OWNER, CONFIG_SIGNER (or CONFIG_SIGNER_KEY), REFUND_SIGNER (or
REFUND_SIGNER_KEY), FEE_COLLECTOR. HUB_DEPLOYER_KEY pays for it, or HUB_OWNER_KEY. With HUB_OWNER_KEY
the relayers of RELAYER_KEYS_<CHAIN> become operators; without it, the owner's calls are printed.
Repeating it does only what is missing.`,
  options: { chain: { value: 'ID', about: 'The chain, e.g. base-sepolia', required: true } },
  examples: ['hub deploy --chain base-sepolia', 'hub deploy --chain base --json'],
  run: deploy,
}

async function deploy(input: CommandInput): Promise<CommandOutcome> {
  const site = await hubSite(input)
  const { config, predicted, ask } = site
  if (config.hub !== null && config.hub !== predicted) {
    throw new CommandError([
      `HUB_ADDRESS is ${config.hub}, but this code with these roles is ${predicted}: unset HUB_ADDRESS to deploy a second hub, or restore the roles that the first one was deployed with`,
    ])
  }
  await checkNode(site)
  input.say(`the hub's address is ${checksumAddress(predicted)}, on every chain`)
  const existing = await ask(({ rpc }) => readHub(rpc, predicted))
  const transaction = existing ? null : await deployNow(site, input)
  const hub = existing ?? (await ask(({ rpc }) => readHub(rpc, predicted)))
  if (!hub) throw new CommandError([`${transaction} was mined and left no hub at ${predicted}`])
  const operators = await appoint(site, predicted, hub, config.roles.relayers, input)
  const differences = roleDifferences(config, hub)
  const { networkId, chainId } = config.chain
  const address = checksumAddress(predicted)
  const table = columns([
    ['hub', `${address} on ${networkId}`],
    ['deployed', transaction ?? 'before; nothing to do'],
    ...operators.map((one) => [checksumAddress(one.address), appointmentText(one)]),
    ...differences.map((difference) => ['note', difference]),
  ])
  const deployed = transaction !== null
  const { environment } = config
  return {
    json: {
      networkId,
      chainId,
      environment,
      hub: address,
      deployed,
      transaction,
      operators,
      differences,
    },
    text: `${table}\nSet HUB_ADDRESS=${address} for every process.`,
  }
}

/** Deploys through the proxy, after making sure that it can work and be paid for. */
async function deployNow(site: HubSite, input: CommandInput): Promise<Hex> {
  const { config, ask, initCode, predicted } = site
  const { deployerKey } = config
  const { networkId, symbol } = config.chain
  if (!(await ask(({ rpc }) => hasCode(rpc, DEPLOYMENT_PROXY)))) {
    throw new CommandError([
      `${networkId} has no deterministic deployment proxy at ${DEPLOYMENT_PROXY}: deploy it first (its one transaction is published with Arachnid/deterministic-deployment-proxy), else the hub's address would differ here`,
    ])
  }
  const call = deploymentCall(initCode)
  if (deployerKey === null) {
    throw new CommandError([
      `nobody pays for the deployment: set HUB_DEPLOYER_KEY (or HUB_OWNER_KEY), or send the proxy ${call.to} this data from any account: ${call.data}`,
    ])
  }
  const from = lowerCaseAddress(privateKeyToAddress(deployerKey))
  const balance = await ask(({ rpc }) => rpc.getBalance({ address: from }))
  // Nodes refuse to estimate for an account without funds.
  const cost = balance === 0n ? null : await ask(({ rpc }) => costOf(rpc, from, call))
  if (balance === 0n || (cost !== null && balance < cost)) {
    const needed = cost === null ? 'some' : formatEther(cost)
    throw new CommandError([
      `${checksumAddress(from)} has ${formatEther(balance)} ${symbol} on ${networkId} and needs ${needed}: send it some`,
    ])
  }
  input.say(`deploying to ${predicted} on ${networkId} …`)
  return await ask(({ rpc }) => sendAndWait(rpc, deployerKey, call))
}

export interface Appointment {
  readonly address: Address
  readonly isOperator: boolean
  /** The transaction that has just appointed it. */
  readonly transaction: Hex | null
  /** What the owner must send when its key isn't here. */
  readonly call: UnsignedCall | null
}

/** Makes accounts operators where the owner's key is given. Those that are operators stay as they are. */
export async function appoint(
  { config, ask }: Pick<HubSite, 'config' | 'ask'>,
  hub: Address,
  roles: HubRoles,
  relayers: readonly Address[],
  input: Pick<CommandInput, 'say'>,
): Promise<Appointment[]> {
  const appointments: Appointment[] = []
  const key = config.ownerKey
  const isOwner = key !== null && lowerCaseAddress(privateKeyToAddress(key)) === roles.owner
  for (const address of relayers) {
    const call = operatorCall(hub, address, true)
    if (await ask(({ rpc }) => isOperator(rpc, hub, address))) {
      appointments.push({ address, isOperator: true, transaction: null, call: null })
    } else if (isOwner) {
      input.say(`appointing ${address} …`)
      const transaction = await ask(({ rpc }) => sendAndWait(rpc, key, call))
      appointments.push({ address, isOperator: true, transaction, call: null })
    } else {
      appointments.push({ address, isOperator: false, transaction: null, call })
    }
  }
  return appointments
}

/** How an appointment reads in a table. */
export function appointmentText(appointment: Appointment): string {
  if (appointment.transaction) return `appointed by ${appointment.transaction}`
  if (appointment.isOperator) return 'is an operator'
  return `the owner must send ${appointment.call?.to ?? '-'} the data ${appointment.call?.data ?? '-'}`
}
