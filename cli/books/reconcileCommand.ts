import { saveReconciliation } from '../../store/books/money.ts'
import type { Queryable } from '../../store/database/database.ts'
import {
  CommandError,
  type CommandInput,
  type CommandOutcome,
  type CommandSpec,
  misused,
} from '../terminal/command.ts'
import { requireConfig } from '../terminal/environment.ts'
import { withLedger } from '../terminal/ledger.ts'
import { ADVICE } from './advice.ts'
import { reconcile } from './reconcile.ts'
import type { Report } from './report.ts'
import { counted, reportText } from './reportText.ts'

export const reconcileCommand: CommandSpec = {
  words: ['reconcile'],
  about: 'Compare the ledger with the chains, to the unit.',
  details: `On every chain, at one confirmed block: the balances of deposits and forwarders in each token, every
sweep, refund, payout and fee against the hub's events, every x402 payment against the token's own logs, the
relayers' account nonces, and the ledger's own sums. Writes only its result, for metrics.
Differences are checked again for a few seconds, because a worker may be booking them.

  received + late + foreign = remitted + fees + refunded + held
  foreign   a token, or a chain, that the invoice doesn't list
  owed      fees that a token refused to transfer; a part of what is held

  settled + other = remitted + fees + held      (x402)
  other     received by a forwarder without a payment; paid out like the rest

Exits with 1 when there is any difference.`,
  options: {
    chain: { value: 'ID', about: 'Only this chain' },
    wait: { value: 'SECONDS', about: 'How long to recheck differences (default 5)' },
  },
  examples: ['reconcile', 'reconcile --chain base-sepolia', 'reconcile --json --wait 0'],
  run,
}

async function run(input: CommandInput): Promise<CommandOutcome> {
  const config = requireConfig(input)
  const only = input.values.get('chain') ?? null
  if (only !== null && !config.chains.some((chain) => chain.networkId === only)) {
    const active = config.chains.map((chain) => chain.networkId).join(', ')
    throw new CommandError([`--chain ${only} is not active; choose one of: ${active}`])
  }
  const until = Date.now() + waitSeconds(input) * 1000
  return await withLedger(input, async (database) => {
    for (;;) {
      const report = await reconcile({ database, config, only, now: new Date() })
      if (report.isClean || Date.now() >= until) {
        await note(database, report)
        return present(report)
      }
      input.say(`${counted(report)}; comparing again …`)
      await Bun.sleep(1_000)
    }
  })
}

/** For metrics and alerts: a difference without a chain counts for every chain. */
async function note(database: Queryable, report: Report): Promise<void> {
  for (const { networkId, block } of report.chains) {
    if (block === null) continue
    const own = report.differences.filter((found) => (found.networkId ?? networkId) === networkId)
    const { checkedAt } = report
    await saveReconciliation(database, { networkId, checkedAt, differences: own.length })
  }
}

function waitSeconds(input: CommandInput): number {
  const text = input.values.get('wait') ?? '5'
  if (/^[0-9]{1,4}$/.test(text)) return Number(text)
  throw misused(input, `--wait must be a whole number of seconds, not ${text}`)
}

function present(report: Report): CommandOutcome {
  const differences = report.differences.map((found) => ({ ...found, advice: ADVICE[found.kind] }))
  return {
    json: { ...report, differences },
    text: reportText(report),
    exitCode: report.isClean ? 0 : 1,
  }
}
