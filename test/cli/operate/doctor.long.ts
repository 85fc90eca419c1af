import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey } from 'viem/accounts'
import type { Finding } from '../../../cli/operate/finding.ts'
import { checksumAddress } from '../../../core/chain/evm.ts'
import { CANONICAL } from '../../../dev/stack/canonical.ts'
import type { Database } from '../../../store/database/database.ts'
import { remit, remitProcess } from '../../support/cli/run.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { databaseUrlOf, freshDatabase } from '../../support/servers/database.ts'
import { redisUrl, startTestChain } from '../../support/servers/run.ts'
import { AWS_VARIABLES, startFakeKms } from '../../support/signers/kms.ts'

/** `remit doctor` and `remit top`, beside a system that is well and one that is not. */

const NO_TOKEN = 'pkcs11:token=t;object=o?module-path=/usr/lib/none.so&pin-source=/etc/hostname'

let chain: HubChain
let database: Database
let variables: Record<string, string | undefined>

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  database = await freshDatabase()
  const urls = { DATABASE_URL: databaseUrlOf(database), REDIS_URL: await redisUrl() }
  variables = { ...chain.variables(), ...urls }
}, 120_000)

afterAll(async () => {
  await database?.end({ timeout: 1 })
  await chain?.node.stop()
})

async function findings(change: Record<string, string | undefined> = {}, run = remit) {
  const ran = await run({ ...variables, ...change }, 'doctor', '--json')
  const all = ran.json().findings
  if (!Array.isArray(all)) throw new Error(`it found nothing: ${ran.err}`)
  return { ran, all: all as Finding[] }
}

/** What was found in an area, but what is well. */
const amiss = (all: readonly Finding[], area: string) =>
  all.filter((one) => one.area === area && one.state !== 'good').map(({ what }) => what)

describe('the doctor', () => {
  test('finds a system well that is, and shows no secret', async () => {
    const { ran, all } = await findings()
    for (const area of ['configuration', 'machine', 'database']) {
      // The test's own server may forget what it was told.
      const found = amiss(all, area).filter((what) => !/max_connections|fsync/.test(what))
      expect(found).toEqual([])
    }
    const onChain = all.filter(({ area }) => area === 'base-sepolia').map(({ what }) => what)
    expect(onChain).toContainEqual(expect.stringMatching(/responds in \d+ ms, at block \d+/))
    expect(onChain).toContainEqual(expect.stringContaining('returns logs of 10000 blocks at once'))
    expect(onChain).toContainEqual(expect.stringMatching(/relayer 0x\w+ is an operator/))
    for (const secret of [chain.roles.configSigner, chain.relayerKeys[0] ?? 'none']) {
      expect(ran.out).not.toContain(secret)
    }
  }, 60_000)

  test('names contracts that a chain lacks, and what does not work without them', async () => {
    const lacks = async () => {
      const { all } = await findings()
      return amiss(all, 'base-sepolia').filter((what) => what.startsWith('there is no'))
    }
    const places = async (code: string) => {
      for (const address of CANONICAL) await chain.node.rpc('anvil_setCode', [address, code])
    }
    await places('0x00')
    expect(await lacks()).toEqual([])
    await places('0x')
    const missing = await lacks()
    expect(missing).toHaveLength(CANONICAL.length)
    for (const address of CANONICAL) {
      expect(missing).toContainEqual(expect.stringContaining(checksumAddress(address)))
    }
    expect(missing).toContainEqual(expect.stringMatching(/no Permit2 at .*`upto`.* do not work/))
    expect(missing).toContainEqual(expect.stringMatching(/no Multicall3 at .*`batch-settlement`/))
  }, 60_000)

  test('names what is away, and what is of another chain', async () => {
    const other = await startTestChain({ chainId: 11_155_111 })
    const { ran, all } = await findings({
      DATABASE_URL: 'postgres://user:hidden-password@127.0.0.1:1/none',
      REDIS_URL: 'redis://127.0.0.1:1',
      RPC_URL_BASE_SEPOLIA: other.url,
      SMTP_URL: 'smtp://127.0.0.1:1',
    })
    expect(ran.code).toBe(1)
    expect(amiss(all, 'database')).toEqual([expect.stringContaining('does not respond')])
    expect(amiss(all, 'redis')).toEqual([expect.stringContaining('does not respond')])
    expect(amiss(all, 'mail')).toEqual([expect.stringContaining('refuses')])
    expect(amiss(all, 'base-sepolia')[0]).toMatch(/chain|answer/)
    expect(ran.out).not.toContain('hidden-password')
    await other.stop()
  }, 60_000)

  test('does not take an email server whose URL says nothing, nor repeat its password', async () => {
    const { ran, all } = await findings({ SMTP_URL: 'smtp://user:hidden/password@127.0.0.1:25' })
    expect(amiss(all, 'mail')).toEqual(['SMTP_URL is not an smtp:// or smtps:// URL'])
    expect(ran.out + ran.err).not.toContain('hidden')
  }, 60_000)

  test('asks the stores of keys, and says when another one signs than the hub knows', async () => {
    const kms = startFakeKms(generatePrivateKey())
    // The client of AWS takes its credentials from its process.
    const signedAt = (url: string) =>
      findings({ ...AWS_VARIABLES, CONFIG_SIGNER_KEY: undefined, CONFIG_SIGNER: url }, remitProcess)
    const { all } = await signedAt(kms.url)
    expect(amiss(all, 'base-sepolia').join('\n').toLowerCase()).toContain(kms.address)
    await kms.close()
    const away = await signedAt(NO_TOKEN)
    expect(amiss(away.all, 'base-sepolia').join('\n')).toContain("can't be used")
  }, 120_000)
})

describe('signer show', () => {
  test('names the address of a key, and has it sign', async () => {
    const kms = startFakeKms(generatePrivateKey())
    const { code, json } = await remitProcess(AWS_VARIABLES, 'signer', 'show', kms.url, '--json')
    expect(code).toBe(0)
    expect(String(json().address).toLowerCase()).toBe(kms.address)
    expect(kms.signed).toHaveLength(1)
    kms.behave('other_key')
    const wrong = await remitProcess(AWS_VARIABLES, 'signer', 'show', kms.url)
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('another key') })
    await kms.close()
    expect((await remit({}, 'signer', 'show', 'https://example.com')).code).toBe(2)
  }, 30_000)
})

describe('top', () => {
  test('shows chains, relayers and work once, where the output is no terminal', async () => {
    await database`
      insert into work_item (network_id, kind, dedupe_key, payload, state)
      values ('base-sepolia', 'refund', 'a', '{}', 'review')`
    await database`
      insert into worker_alarm (network_id, worker_id, kind, subject, detail, since, until)
      values ('base-sepolia', 'w', 'signer', '0x1', ${'throttled\u001b[2J'}, now(),
        now() + interval '1 hour')`
    const { out, code } = await remitProcess(variables, 'top')
    expect(code).toBe(0)
    expect(out).toMatch(/refund +base-sepolia +review +1/)
    expect(out).toContain('signer for')
    // What others wrote moves no cursor.
    expect(out).not.toContain('\u001b')
  }, 30_000)
})
