import { accountNonce } from '../../chain/blocks/accounts.ts'
import { openChain } from '../../chain/rpc/client.ts'
import { isRpcFault } from '../../chain/rpc/faults.ts'
import { max } from '../../core/base/integers.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { isFollowed } from '../../store/books/health.ts'
import type { Database } from '../../store/database/database.ts'
import { readRelayerKeys } from '../../store/relayer/keys.ts'
import { reconcile } from '../books/reconcile.ts'
import { reportText } from '../books/reportText.ts'
import type { CommandInput, CommandOutcome, CommandSpec } from '../terminal/command.ts'
import { requireConfig } from '../terminal/environment.ts'
import { withLedger } from '../terminal/ledger.ts'
import { type Forgotten, recoverySteps } from './recoverySteps.ts'

export const recoverCommand: CommandSpec = {
  words: ['recover'],
  about: 'List the steps before workers may start on a restored or promoted database.',
  details: `Compares the ledger with the chains as \`reconcile\` does, and the relayers' account nonces with the newest
blocks and with the pending transactions: whether the database has lost what was sent. Writes nothing.

Exits with 0 if workers may start, otherwise with 1 and a list of steps in order.`,
  options: {},
  examples: ['recover', 'recover --json'],
  run,
}

async function run(input: CommandInput): Promise<CommandOutcome> {
  const config = requireConfig(input)
  return await withLedger(input, async (database) => {
    const report = await reconcile({ database, config, only: null, now: new Date() })
    const perChain = await Promise.all(config.chains.map((chain) => forgottenOn(database, chain)))
    const forgotten = perChain.flat()
    const steps = recoverySteps({
      forgotten,
      differences: report.differences,
      isFollowed: await isFollowed(database),
    })
    const verdict =
      steps.length === 0
        ? 'The ledger is complete compared to the chains: start indexer, API and workers.'
        : `Before workers may start:\n${steps.map((step, i) => `${i + 1}. ${step}`).join('\n')}`
    return {
      json: { mayStart: steps.length === 0, forgotten, differences: report.differences, steps },
      text: `${reportText(report)}\n\n${verdict}`,
      exitCode: steps.length === 0 ? 0 : 1,
    }
  })
}

/** The relayers of a chain with transactions missing in the ledger; an unreachable node is a difference. */
async function forgottenOn(database: Database, chain: ActiveChain): Promise<Forgotten[]> {
  const { rpc } = openChain(chain)
  const { networkId } = chain
  try {
    const known = await readRelayerKeys(database, networkId)
    const found = await Promise.all(
      known.map(async ({ address, nextNonce: ledger }) => {
        const [mined, waiting] = await Promise.all([
          accountNonce(rpc, address, 'latest'),
          accountNonce(rpc, address, 'pending'),
        ])
        return { networkId, address, ledger, chain: max(mined, waiting) }
      }),
    )
    return found.filter((key) => key.chain > key.ledger)
  } catch (error) {
    if (!isRpcFault(error)) throw error
    return []
  }
}
