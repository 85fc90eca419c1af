import { formatEther } from 'viem'
import { hasCode } from '../../chain/blocks/accounts.ts'
import { readHead } from '../../chain/blocks/blocks.ts'
import { type HubReading, type HubRoles, isOperator, readHub } from '../../chain/hub/contract.ts'
import { DEPLOYMENT_PROXY } from '../../chain/hub/deployment.ts'
import type { OpenMatters } from '../../chain/hub/openMatters.ts'
import { missingCalls, readHubState, setupDifferences } from '../../chain/hub/setup.ts'
import { type Address, checksumAddress } from '../../core/chain/evm.ts'
import type { HubConfig } from '../../core/config/hub.ts'
import { stoppedParts } from '../../core/hub/stops.ts'
import type { CommandInput, CommandOutcome, CommandSpec } from '../terminal/command.ts'
import { columns } from '../terminal/output.ts'
import { governanceLines } from './describe.ts'
import { searchOpenMatters } from './open.ts'
import { type HubSite, hubSite, setupOf } from './settings.ts'

export const hubStatus: CommandSpec = {
  words: ['hub', 'status'],
  about: 'Show the hub on a chain, and compare its roles with the configuration.',
  details: `Compares the hub at HUB_ADDRESS (or, without it, at the predicted address) with the configured owner,
signers, fee collector and relayers, and shows delays, stops, remaining limits, proposals and
changes of treasuries, for which the hub's events of some weeks are read. Exits with 1 if something is missing or
different.`,
  options: { chain: { value: 'ID', about: 'The chain, e.g. base-sepolia', required: true } },
  examples: ['hub status --chain base-sepolia', 'hub status --chain base --json'],
  run: status,
}

async function status(input: CommandInput): Promise<CommandOutcome> {
  const site = await hubSite(input)
  const { config, query, predicted } = site
  const address = config.hub ?? predicted
  const reading = await query(({ rpc }) => readHub(rpc, address))
  const hub = reading.type === 'hub' ? reading.roles : null
  const relayers = hub ? await relayerStates(site) : []
  const open = hub && (await openMatters(site, address))
  const setup = setupOf(config)
  const state = hub && (await query(({ rpc }) => readHubState(rpc, address, hub, setup)))
  const problems =
    hub && state
      ? [
          ...identityDifferences(config, hub),
          ...setupDifferences(setup, state),
          ...missingCalls(address, setup, state).map(({ what }) => `the owner must still ${what}`),
          ...relayers
            .filter((r) => r.balance === 0n)
            .map((r) => `relayer ${r.address} has no funds`),
        ]
      : await whatIsMissing(site, reading)
  const notes =
    address === predicted
      ? []
      : [`with this code and owner, the hub's address would be ${predicted}`]
  const { networkId, chainId, symbol } = config.chain
  const lines = [
    ['chain', `${networkId} (${chainId})`],
    ['hub', `${checksumAddress(address)} ${hub ? 'is deployed' : 'is not deployed'}`],
    ...(hub === null ? [] : [['code', codeText(address, predicted)]]),
    ...Object.entries(hub ?? {}).map(([name, value]) => [name, value]),
    ...(open === null ? [] : governanceLines(open.matters, config.chain, open.now)),
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
      governance: open && governanceJson(open.matters),
      relayers,
      problems,
      notes,
    },
    text: columns(lines),
    exitCode: problems.length === 0 ? 0 : 1,
  }
}

async function openMatters({ client, query }: HubSite, hub: Address) {
  const { rpc } = client
  const head = await query(() => readHead(rpc))
  return {
    matters: await searchOpenMatters({ client, hub, head, query: (question) => query(question) }),
    now: head.time,
  }
}

function governanceJson({ answer, proposals }: OpenMatters) {
  const { state, tokens, changes } = answer
  const { stops, pendingOwner, ownerDelay, configDelay } = state
  return {
    stopped: stoppedParts(stops),
    pendingOwner,
    ownerDelay,
    configDelay,
    tokens,
    proposals,
    changes,
  }
}

/** The address is derived from the code (EIP-1014), so it identifies the code. */
function codeText(address: Address, predicted: Address): string {
  return address === predicted
    ? 'the committed one: the address matches it, the owner and the environment'
    : 'not the committed one with this owner and environment'
}

/** Differences of owner and environment from the configuration, as messages. */
export function identityDifferences(config: HubConfig, hub: HubRoles): string[] {
  const pairs: [name: string, expected: string, found: string][] = [
    ['owner', config.roles.owner, hub.owner],
    ['environment', config.environment, hub.environment],
  ]
  return pairs
    .filter(([, expected, found]) => expected !== found)
    .map(([name, expected, found]) => `the hub's ${name} is ${found}, configured is ${expected}`)
}

async function relayerStates({ config, query, predicted }: HubSite) {
  const hub = config.hub ?? predicted
  return await query(({ rpc }) =>
    Promise.all(
      config.roles.relayers.map(async (address) => ({
        address,
        isOperator: await isOperator(rpc, hub, address),
        balance: await rpc.getBalance({ address }),
      })),
    ),
  )
}

async function whatIsMissing({ config, query }: HubSite, { type }: HubReading): Promise<string[]> {
  const { networkId } = config.chain
  const what =
    type === 'none' ? 'there is no hub' : 'the contract at the address is not a hub of version 2'
  const problems = [
    `${what}: run \`bun run remit hub deploy --chain ${networkId}\` (or see HUB_ADDRESS)`,
  ]
  if (!(await query(({ rpc }) => hasCode(rpc, DEPLOYMENT_PROXY)))) {
    problems.push(`${networkId} has no deterministic deployment proxy at ${DEPLOYMENT_PROXY}`)
  }
  return problems
}
