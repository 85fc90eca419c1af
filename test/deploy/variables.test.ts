import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseApiConfig } from '../../core/config/api.ts'
import { parseHubConfig, parseHubPowers } from '../../core/config/hub.ts'
import { parseIndexerConfig, parseNotifierConfig } from '../../core/config/processes.ts'
import type { Variables } from '../../core/config/reader.ts'
import { parseWorkerConfig } from '../../core/config/worker.ts'

/** Whatever the configuration reads is in the tables of docs/configuration.md, and in the files of the one server. */

const ROOT = join(import.meta.dirname, '../..')
const NETWORK = 'BASE_SEPOLIA'
/** Switches on what has further variables. */
const GIVEN: Variables = {
  RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:1',
  DASHBOARD_SECRET: 'x'.repeat(40),
  RATE_URL: 'https://rates.example',
  RATE_CURRENCIES: 'EUR',
  METRICS_PORT: '1',
  OPERATOR_TOKEN: 'x',
}
/** Keys of people, who never give them to a server; and the port that Caddy and the probes know. */
const NOT_SET = ['HUB_OWNER_KEY', 'HUB_GUARDIAN_KEY', 'HUB_DEPLOYER_KEY', 'PORT']
/** Measured for each chain in the registry; an operator has no reason to set them. */
const MEASURED = /^GAS_/

/** The names that the parsers ask for, of one network alone. */
function namesRead(): string[] {
  const asked = new Set<string>()
  const variables = new Proxy(GIVEN, {
    get(given, name) {
      if (typeof name !== 'string') return undefined
      asked.add(name)
      return given[name]
    },
  })
  parseApiConfig(variables)
  parseIndexerConfig(variables)
  parseNotifierConfig(variables)
  parseWorkerConfig(variables)
  parseHubConfig(variables, 'base-sepolia')
  parseHubPowers(variables, 'base-sepolia')
  const isOther = /_(SEPOLIA|POLYGON_AMOY|AVALANCHE_FUJI|ARBITRUM_SEPOLIA)$/
  return [...asked].filter(
    (name) => !MEASURED.test(name) && (name.endsWith(NETWORK) || !isOther.test(name)),
  )
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('every variable has a line in docs/configuration.md', () => {
  const document = read('docs/configuration.md')
  const missing = namesRead().filter((name) => {
    const general = name
      .replace(`_${NETWORK}`, '_<NETWORK>')
      .replace(/_(USDC|USDT|EURC|ETH)(?=$|_)/, '_<TOKEN>')
    return ![name, general, name.replace(`_${NETWORK}`, '_<NETWORK>')].some((form) =>
      document.includes(form),
    )
  })
  expect(missing).toEqual([])
})

test('every variable is in example.env, or the Compose file, its secrets or the image give it', () => {
  const example = read('deploy/example.env')
  const given = read('deploy/compose.yaml') + read('deploy/Dockerfile')
  const missing = namesRead().filter(
    (name) =>
      !NOT_SET.includes(name) &&
      !new RegExp(`^#?${name}=`, 'm').test(example) &&
      !new RegExp(`\\b${name.replace(`KEYS_${NETWORK}`, 'KEYS')}\\b`).test(given),
  )
  expect(missing).toEqual([])
})

test('no line of example.env names a variable that nothing reads', () => {
  const known = new Set([...namesRead(), 'REMIT_DOMAIN', 'REMIT_VERSION', 'REMIT_CHAIN'])
  const named = [...read('deploy/example.env').matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)]
  expect(named.map(([, name = '']) => name).filter((name) => !known.has(name))).toEqual([])
})
