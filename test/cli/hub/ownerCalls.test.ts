import { expect, test } from 'bun:test'
import { readOwnerCall } from '../../../chain/hub/ownerCalls.ts'
import { COMMANDS } from '../../../cli/catalogue.ts'
import { OWNER_CALLS } from '../../../cli/hub/calls.ts'
import { parse } from '../../../cli/terminal/parse.ts'
import { ALL_CHAINS, tokensOf } from '../../../core/chain/registry.ts'

const chain = ALL_CHAINS.find(({ networkId }) => networkId === 'base')
if (chain === undefined) throw new Error('the registry has no base')
const onBase = chain
const SOME = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** The calldata of a command line after `hub propose`. */
function build(line: string) {
  const parsed = parse(['hub', 'propose', ...line.split(' '), '--chain', 'base'], COMMANDS)
  if (parsed.type !== 'run') throw new Error('it asks for help')
  const { command, ...rest } = parsed
  const spec = OWNER_CALLS.find(({ name }) => name === command.words[2])
  if (spec === undefined) throw new Error(`no call is named ${command.words[2]}`)
  const input = { ...rest, words: command.words, variables: {}, source: '', say: () => {} }
  return spec.build(input, onBase)
}

const LINES = [
  ...['set-refund-signer', 'set-config-signer', 'set-guardian', 'transfer-ownership'].flatMap(
    (name) => [`${name} ${SOME}`, `${name} nobody`],
  ),
  ...['add-operator', 'remove-operator', 'set-fee-collector'].map((name) => `${name} ${SOME}`),
  'set-token USDC --limit 5000',
  'set-token USDC --limit 0 --unlisted',
  'set-token ETH --limit unlimited --unlisted',
  `set-token ${SOME} --limit 12.5 --decimals 18`,
  'set-delays --owner 48h --config 90m',
  `set-merchant 0197fe12-0000-7000-8000-000000000001 --treasury ${SOME} --fee-bps 50 --fee-cap 5.5 --version 8`,
  `recover USDC --from ${SOME} --to ${SOME} --amount 25`,
  `recover ${SOME} --from ${SOME} --to ${SOME} --amount 25units`,
  `recover-call ${SOME} --target ${SOME} --data 0x42842e0e`,
]

test.each(LINES)('a proposal of "%s" reads the same', (line) => {
  expect(readOwnerCall(build(line), tokensOf(onBase))?.words).toBe(line)
})

test('every call that can be proposed is among them', () => {
  const names = new Set(LINES.map((line) => line.split(' ')[0]))
  expect(OWNER_CALLS.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([])
})

const WRONG: readonly [line: string, says: string][] = [
  ['set-fee-collector nobody', 'ADDRESS must be an address with a correct checksum'],
  ['add-operator 0x70997970C51812dc3A010C7d01b50e0d17dc79c8', 'correct checksum'],
  ['set-token DOGE --limit 1', 'TOKEN must be one of USDC'],
  ['set-token USDC --limit much', '--limit must be digits'],
  [`set-token ${SOME} --limit 1`, '--decimals is missing'],
  ['set-delays --owner 2 --config 24h', '--owner must be a duration like 48h'],
  [`recover ${SOME} --from ${SOME} --to ${SOME} --amount 25`, 'must be in base units, e.g. 5units'],
  [`recover-call ${SOME} --target ${SOME} --data 0x1`, '--data must be bytes'],
  [
    `set-merchant 0197fe12-0000-7000-8000-000000000001 --treasury ${SOME} --fee-bps 50 --fee-cap 1099512 --version 8`,
    '--fee-cap must be at most',
  ],
]

test.each(WRONG)('"%s" is refused', (line, says) => {
  expect(() => build(line)).toThrow(says)
})
