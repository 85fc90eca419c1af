import { type Config, parseConfig } from '../../core/config/processes.ts'
import { read } from '../../core/config/reader.ts'
import type { CommandInput, CommandOutcome, CommandSpec } from '../terminal/command.ts'
import { columns } from '../terminal/output.ts'
import { checkContracts } from './doctorContracts.ts'
import { checkDatabase } from './doctorDatabase.ts'
import { checkHub } from './doctorHub.ts'
import { checkMachine, checkMailServer } from './doctorMachine.ts'
import { checkNodes } from './doctorNodes.ts'
import { checkRedis } from './doctorRedis.ts'
import type { Finding } from './finding.ts'

export const doctorCommand: CommandSpec = {
  words: ['doctor'],
  about: 'Check all dependencies of Remit from this machine, and report what to change.',
  details: `Checks the configuration, the database (version, schema, roles, settings, clock), Redis, every RPC URL on its
own (chain, speed, lag behind the others, log ranges, batches, state by block hash), the hub with its roles, the
third-party contracts that payment methods need, key stores, relayers and their gas funds, the disk and the mail
server. Changes nothing and shows no secret. Run it where the workers run, with their environment.

Exits with 1 if there is a problem, and with 0 if there are warnings only.`,
  options: {},
  examples: ['doctor', 'doctor --json'],
  run: doctor,
}

async function doctor(input: CommandInput): Promise<CommandOutcome> {
  const { variables } = input
  const parsed = parseConfig(variables)
  const findings: Finding[] = parsed.ok
    ? [{ area: 'configuration', state: 'good', what: summaryOf(parsed.config) }]
    : parsed.problems.map((what) => {
        return { area: 'configuration', state: 'problem', what, advice: 'set it, and try again' }
      })
  const checks = [
    checkMachine(),
    checkDatabase(variables),
    checkRedis(variables),
    checkMailServer(variables),
  ]
  findings.push(...(await Promise.all(checks)).flat())
  if (parsed.ok) {
    const lowBalance = lowBalanceIn(input)
    for (const chain of parsed.config.chains) {
      const nodes = await checkNodes(chain)
      findings.push(...nodes)
      // Without a responding node nothing else can be checked.
      if (nodes.some(({ state }) => state === 'good')) {
        findings.push(...(await checkHub(input, chain.networkId, lowBalance)))
        findings.push(...(await checkContracts(chain)))
      }
    }
  }
  const problems = findings.filter(({ state }) => state === 'problem').length
  const warnings = findings.filter(({ state }) => state === 'warning').length
  return {
    json: { isWell: problems === 0, problems, warnings, findings },
    text: `${columns(findings.flatMap(linesOf))}\n\n${problems} problems, ${warnings} warnings`,
    exitCode: problems === 0 ? 0 : 1,
  }
}

function summaryOf({ environment, chains }: Config): string {
  return `${environment}, ${chains.map(({ networkId }) => networkId).join(', ')}`
}

function lowBalanceIn({ variables }: CommandInput): bigint {
  const parsed = read(variables, (reader) => reader.lowBalance())
  return parsed.ok ? parsed.config : 0n
}

const MARKS = { good: 'ok', warning: 'warning', problem: 'PROBLEM' } as const

function linesOf({ area, state, what, advice }: Finding): string[][] {
  const line = [MARKS[state], area, what]
  return advice === undefined ? [line] : [line, ['', '', `-> ${advice}`]]
}
