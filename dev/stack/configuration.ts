/** Refuses a configuration before anything is started with it. */
import {
  parseApiConfig,
  parseIndexerConfig,
  parseWorkerConfig,
  type WorkerConfig,
} from '../../core/config/processes.ts'
import type { ParsedConfig, Variables } from '../../core/config/reader.ts'
import { withoutSigningKeys } from '../../core/config/reader.ts'
import { StackError } from '../processes/child.ts'
import type { Home } from './home.ts'
import { keptKeys } from './keys.ts'

/** @throws StackError that names every problem of every entry point, each once. */
export function checkVariables(variables: Variables): WorkerConfig {
  const worker = parseWorkerConfig(variables)
  const unsigned = withoutSigningKeys(variables)
  const others: ParsedConfig<unknown>[] = [parseApiConfig(unsigned), parseIndexerConfig(unsigned)]
  const problems = new Set([worker, ...others].flatMap((part) => (part.ok ? [] : part.problems)))
  if (worker.ok && problems.size === 0) return worker.config
  const advice = variables.HUB_ADDRESS
    ? []
    : ['Chains of your own need a hub: see `bun run remit hub deploy --help`.']
  throw new StackError([...[...problems].map((problem) => `- ${problem}`), ...advice].join('\n'))
}

/** In live, a key that this home made for local chains is a mistake, whatever it is used for. */
export function refuseDevelopmentKeys(variables: Variables, home: Home): void {
  const development = keptKeys(home)
  for (const [name, value] of Object.entries(variables)) {
    const isOurs = value?.split(',').some((key) => development.has(key.trim().toLowerCase()))
    if (isOurs)
      throw new StackError(`${name} holds a key of the development stack; live refuses it.`)
  }
}
