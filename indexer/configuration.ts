import { type IndexerConfig, parseIndexerConfig } from '../core/config/processes.ts'
import { FOLLOWED, parseFollowed, withFollowed } from './deployment/followed.ts'

/**
 * The configuration inside Ponder's process. The entry point has checked it and passed it on, so a problem here
 * means that Ponder was started directly; the message names every problem.
 */
export function inheritedConfig(): IndexerConfig {
  const parsed = parseIndexerConfig(process.env)
  if (!parsed.ok) throw new Error(parsed.problems.join('; '))
  return withFollowed(parsed.config, parseFollowed(process.env[FOLLOWED]))
}
