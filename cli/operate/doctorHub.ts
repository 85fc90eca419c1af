import { formatEther } from 'viem'
import { isOperator, readHub } from '../../chain/hub/contract.ts'
import { missingCalls, readHubState, setupDifferences } from '../../chain/hub/setup.ts'
import { shortMessage } from '../../core/base/logging.ts'
import { checksumAddress } from '../../core/chain/evm.ts'
import { hubSite, setupOf } from '../hub/settings.ts'
import { identityDifferences } from '../hub/status.ts'
import { CommandError, type CommandInput } from '../terminal/command.ts'
import { type Finding, Findings } from './finding.ts'

/** Compares the hub of a chain, its roles, and the relayers with the configuration. */
export async function checkHub(
  input: CommandInput,
  networkId: string,
  lowBalance: bigint,
): Promise<Finding[]> {
  const found = new Findings(networkId)
  const again = `run \`bun run remit hub deploy --chain ${networkId}\``
  try {
    const site = await hubSite({ ...input, values: new Map([['chain', networkId]]) })
    const { config, predicted, query } = site
    const address = config.hub ?? predicted
    const reading = await query(({ rpc }) => readHub(rpc, address))
    if (reading.type !== 'hub') {
      found.problem(
        `there is no hub at ${checksumAddress(address)}`,
        `${again}, or see HUB_ADDRESS`,
      )
      return found.all
    }
    const setup = setupOf(config)
    const state = await query(({ rpc }) => readHubState(rpc, address, reading.roles, setup))
    const missing = missingCalls(address, setup, state).map(
      ({ what }) => `the owner must still ${what}`,
    )
    const different = [
      ...identityDifferences(config, reading.roles),
      ...setupDifferences(setup, state),
      ...missing,
    ]
    for (const what of different) found.problem(what, `correct the configuration, or ${again}`)
    if (different.length === 0) found.good(`the hub ${checksumAddress(address)} is as configured`)
    for (const relayer of config.roles.relayers) {
      const [isOne, balance] = await query(({ rpc }) =>
        Promise.all([isOperator(rpc, address, relayer), rpc.getBalance({ address: relayer })]),
      )
      const name = `relayer ${checksumAddress(relayer)}`
      const held = `${formatEther(balance)} ${config.chain.symbol}`
      if (!isOne) {
        found.problem(`${name} is no operator of the hub`, 'see `bun run remit relayer add --help`')
      }
      if (balance < lowBalance) found.warning(`${name} holds ${held}`, 'fund it')
      else if (isOne) found.good(`${name} is an operator, with ${held}`)
    }
    if (config.roles.relayers.length === 0) {
      found.warning(
        'no relayer keys are configured here',
        'run this with the environment of the workers',
      )
    }
  } catch (error) {
    const problems = error instanceof CommandError ? error.problems : [shortMessage(error)]
    for (const problem of problems) found.problem(problem, 'see `bun run remit hub status`')
  }
  return found.all
}
