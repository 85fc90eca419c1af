/** The one entry to the contracts' tools: `bun run contracts artifacts | test | …`. */
import { staleArtifacts, writeArtifacts } from './artifacts.ts'
import { coverage } from './coverage/run.ts'
import { forge } from './forge.ts'
import { compareGas, updateGas } from './gas.ts'
import { mutate } from './mutation/run.ts'

const HELP = `bun run contracts <command>

  artifacts            compile and write contracts/artifacts
  artifacts --check    fail when the sources and the committed artifacts disagree
  test [forge flags]   run the Foundry tests
  invariants           the longest search: 10,000 runs of 100 calls of each campaign
  coverage             fail unless a test runs every line and branch of the hub's sources
  gas                  fail when a figure is more than 5 % worse than in contracts/gas.json
  gas --update         write contracts/gas.json
  mutate               take every guard away, one at a time: a test has to fail (--only PATH, --list)`

async function artifacts(flags: readonly string[]): Promise<number> {
  if (!flags.includes('--check')) {
    for (const path of await writeArtifacts()) console.log(`wrote ${path}`)
    return 0
  }
  const stale = await staleArtifacts()
  if (stale.length === 0) {
    console.log('The committed artifacts are what the sources compile to.')
    return 0
  }
  console.error(`Not what the sources compile to: ${stale.join(', ')}.`)
  console.error('Run: bun run contracts artifacts')
  return 1
}

/** Another one searches longer: FOUNDRY_PROFILE=ci. */
function testProfile(): string {
  return process.env.FOUNDRY_PROFILE ?? 'tests'
}

async function invariants(flags: readonly string[]): Promise<number> {
  const args = ['test', '--match-contract', 'Invariants', '--match-test', 'invariant_', ...flags]
  return (await forge(args, { show: true, profile: 'long' })).exitCode
}

async function main([command, ...flags]: readonly string[]): Promise<number> {
  switch (command) {
    case 'artifacts':
      return artifacts(flags)
    case 'test':
      return (await forge(['test', ...flags], { show: true, profile: testProfile() })).exitCode
    case 'invariants':
      return invariants(flags)
    case 'coverage':
      return coverage()
    case 'gas':
      return flags.includes('--update') ? updateGas() : compareGas()
    case 'mutate':
      return mutate(flags)
    default:
      console.error(HELP)
      return 2
  }
}

process.exitCode = await main(process.argv.slice(2))
