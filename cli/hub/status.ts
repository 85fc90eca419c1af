import { formatEther } from 'viem'
import { hasCode } from '../../chain/accounts.ts'
import { type HubRoles, isOperator, readHub } from '../../chain/hub/contract.ts'
import { DEPLOYMENT_PROXY } from '../../chain/hub/deployment.ts'
import { checksumAddress } from '../../core/chain/evm.ts'
import type { HubConfig } from '../../core/config/hub.ts'
import type { CommandInput, CommandOutcome, CommandSpec } from '../terminal/command.ts'
import { columns } from '../terminal/output.ts'
import { checkNode, type HubSite, hubSite } from './settings.ts'

export const hubStatus: CommandSpec = {
  words: ['hub', 'status'],
  about: 'Show the hub on a chain: is it there, and do its roles fit the configuration?',
  details: `Compares the hub at HUB_ADDRESS (or, without it, at the predicted address) with the configured owner,
signers, fee collector and relayers. Exits with 1 when something is missing or different.`,
  options: { chain: { value: 'ID', about: 'The chain, e.g. base-sepolia', required: true } },
  examples: ['hub status --chain base-sepolia', 'hub status --chain base --json'],
  run: status,
}

async function status(input: CommandInput): Promise<CommandOutcome> {
  const site = await hubSite(input)
  await checkNode(site)
  const { config, ask, predicted } = site
  const address = config.hub ?? predicted
  const hub = await ask(({ rpc }) => readHub(rpc, address))
  const relayers = hub ? await relayerStates(site) : []
  const problems = hub
    ? [
        ...roleDifferences(config, hub),
        ...relayers.filter((r) => !r.isOperator).map((r) => `relayer ${r.address} is no operator`),
        ...relayers.filter((r) => r.balance === 0n).map((r) => `relayer ${r.address} has no funds`),
      ]
    : await whatIsMissing(site)
  const notes =
    address === predicted
      ? []
      : [`with this code and these roles the hub would be another one, ${predicted}`]
  const { networkId, chainId, symbol } = config.chain
  const lines = [
    ['chain', `${networkId} (${chainId})`],
    ['hub', `${checksumAddress(address)} ${hub ? 'is deployed' : 'is not deployed'}`],
    ...Object.entries(hub ?? {}).map(([name, value]) => [name, value]),
    ...relayers.map((r) => [
      'relayer',
      `${checksumAddress(r.address)} ${r.isOperator ? 'operator' : 'NOT an operator'}, ${formatEther(r.balance)} ${symbol}`,
    ]),
    ...problems.map((problem) => ['problem', problem]),
    ...notes.map((note) => ['note', note]),
  ]
  return {
    json: {
      networkId,
      chainId,
      hub: checksumAddress(address),
      predicted: checksumAddress(predicted),
      deployed: hub !== null,
      roles: hub,
      relayers,
      problems,
      notes,
    },
    text: columns(lines),
    exitCode: problems.length === 0 ? 0 : 1,
  }
}

/** Where the hub differs from the configuration, in sentences. */
export function roleDifferences(config: HubConfig, hub: HubRoles): string[] {
  const { owner, configSigner, refundSigner, feeCollector } = config.roles
  const pairs: [name: string, expected: string, found: string][] = [
    ['owner', owner, hub.owner],
    ['configSigner', configSigner, hub.configSigner],
    ['refundSigner', refundSigner, hub.refundSigner],
    ['feeCollector', feeCollector, hub.feeCollector],
    ['environment', config.environment, hub.environment],
  ]
  return pairs
    .filter(([, expected, found]) => expected !== found)
    .map(([name, expected, found]) => `the hub's ${name} is ${found}, configured is ${expected}`)
}

async function relayerStates({ config, ask, predicted }: HubSite) {
  const hub = config.hub ?? predicted
  return await ask(({ rpc }) =>
    Promise.all(
      config.roles.relayers.map(async (address) => ({
        address,
        isOperator: await isOperator(rpc, hub, address),
        balance: await rpc.getBalance({ address }),
      })),
    ),
  )
}

async function whatIsMissing({ config, ask }: HubSite): Promise<string[]> {
  const { networkId } = config.chain
  const problems = [
    `there is no hub: run \`bun run remit hub deploy --chain ${networkId}\` (or see HUB_ADDRESS)`,
  ]
  if (!(await ask(({ rpc }) => hasCode(rpc, DEPLOYMENT_PROXY)))) {
    problems.push(`${networkId} has no deterministic deployment proxy at ${DEPLOYMENT_PROXY}`)
  }
  return problems
}
